import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { JsonSchema } from '../schema-values/schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';

/** Returns the resource type whose IDs a schema describes (`x-id-of`); undefined if the values are not IDs. */
export function resourceTypeOf(context: SchemaContext, schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const resourceType = schema['x-id-of'];
  if (typeof resourceType === 'string') return resourceType;
  return schema.$ref === undefined ? undefined : resourceTypeOf(context, context.resolve(schema.$ref));
}

export interface ResourceId {
  kind: string;
  id: unknown;
}

/** Returns a text that only the same resource has. A number and its digits are the same ID. */
export const keyOfResource = ({ kind, id }: ResourceId): string => JSON.stringify([kind, String(id)]);

/** Returns the IDs in a value: all values whose schema has `x-id-of`, with their resource type. */
export function idsIn(context: SchemaContext, schema: JsonSchema, value: unknown): ResourceId[] {
  const found: ResourceId[] = [];
  visit(context, schema, value, found);
  return found;
}

function visit(context: SchemaContext, schema: JsonSchema, value: unknown, found: ResourceId[]): void {
  if (typeof schema === 'boolean' || value === null || value === undefined) return;
  const kind = schema['x-id-of'];
  if (typeof kind === 'string' && typeof value !== 'object') found.push({ kind, id: value });
  if (schema.$ref !== undefined) visit(context, context.resolve(schema.$ref), value, found);
  for (const branch of [schema.allOf, schema.anyOf, schema.oneOf].flatMap((each) => each ?? []))
    visit(context, branch, value, found);
  if (Array.isArray(value)) for (const item of value) visit(context, schema.items ?? true, item, found);
  if (isObject(value))
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      visit(context, property, ownOf(value, name), found);
}
