import { isObject, type Schema } from '../schema-values/schema.ts';
import type { World } from '../schema-values/schema-context.ts';

/** What kind of thing the values of a schema name: its `x-id-of`. */
export function kindOf(world: World, schema: Schema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const kind = schema['x-id-of'];
  if (typeof kind === 'string') return kind;
  return schema.$ref === undefined ? undefined : kindOf(world, world.resolve(schema.$ref));
}

/** The properties that a schema names, those that it refers to among them. */
export function propertiesOf(world: World, schema: Schema): Record<string, Schema> {
  if (typeof schema === 'boolean') return {};
  const referred = schema.$ref === undefined ? {} : propertiesOf(world, world.resolve(schema.$ref));
  const gathered = (schema.allOf ?? []).map((each) => propertiesOf(world, each));
  return Object.assign({}, referred, ...gathered, schema.properties);
}

export interface Named {
  kind: string;
  id: unknown;
}

/** The ids in a value, as far as its schema says which they are. */
export function idsIn(world: World, schema: Schema, value: unknown): Named[] {
  const found: Named[] = [];
  visit(world, schema, value, found);
  return found;
}

function visit(world: World, schema: Schema, value: unknown, found: Named[]): void {
  if (typeof schema === 'boolean' || value === null || value === undefined) return;
  const kind = schema['x-id-of'];
  if (typeof kind === 'string' && typeof value !== 'object') found.push({ kind, id: value });
  if (schema.$ref !== undefined) visit(world, world.resolve(schema.$ref), value, found);
  for (const branch of [schema.allOf, schema.anyOf, schema.oneOf].flatMap((each) => each ?? []))
    visit(world, branch, value, found);
  if (Array.isArray(value)) for (const item of value) visit(world, schema.items ?? true, item, found);
  if (isObject(value))
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      visit(world, property, value[name], found);
}
