import type { Example, Operation } from '../requests/operations.ts';
import { canonical, isObject, type Schema } from '../schema-values/schema.ts';
import type { World } from '../schema-values/schema-context.ts';

/** What there is to reach, by kind; each goal has a name of its own. */
export const kinds = [
  'operation',
  'status',
  'media type',
  'header',
  'parameter',
  'property',
  'value',
  'example',
] as const;
export type Kind = (typeof kinds)[number];

export interface Goal {
  kind: Kind;
  operation: string;
  /** `createContact ← /status = online`; `←` is what is sent, `→` what is answered. */
  name: string;
}

/** Everything that a contract's operations document. */
export function goalsOf(world: World, operations: readonly Operation[]): Goal[] {
  return operations.flatMap((operation) => {
    const { id } = operation;
    const goals: Goal[] = [{ kind: 'operation', operation: id, name: id }];
    const add = (kind: Kind, name: string) => goals.push({ kind, operation: id, name: `${id} ${name}` });
    for (const { in: place, name, schema, examples } of operation.parameters) {
      add('parameter', `← ${place}/${name}`);
      for (const part of partsOf(world, schema)) add(part.kind, `← ${place}/${name}${part.name}`);
      for (const index of examples.keys()) add('example', `← ${place}/${name} example ${index}`);
    }
    for (const { mediaType, schema, examples } of operation.body?.types ?? []) {
      add('media type', `← ${mediaType}`);
      for (const part of partsOf(world, schema)) add(part.kind, `← ${part.name}`);
      for (const example of examples) add('example', `← example ${example.name}`);
    }
    for (const [status, { types, headers }] of Object.entries(operation.responses)) {
      add('status', `→ ${status}`);
      for (const { name } of headers) add('header', `→ ${status} ${name}`);
      for (const { mediaType, schema, examples } of types) {
        add('media type', `→ ${status} ${mediaType}`);
        for (const part of partsOf(world, schema)) add(part.kind, `→ ${status} ${part.name}`);
        for (const example of examples) add('example', `→ ${status} example ${example.name}`);
      }
    }
    return goals;
  });
}

export interface Part {
  kind: 'property' | 'value';
  // A property, or one of the values that it may have: `/name`, `/status = online`; `*` stands for any item.
  name: string;
}

/** The properties and the values of enumerations that a schema names, references followed once. */
function partsOf(world: World, schema: Schema): Part[] {
  const found = new Map<string, Part>();
  visit(schema, '', []);
  return [...found.values()];

  function visit(each: Schema, place: string, within: readonly Schema[]): void {
    if (typeof each === 'boolean' || within.includes(each)) return;
    const inside = [...within, each];
    const inner = (next: Schema | undefined, at = place) => next !== undefined && visit(next, at, inside);
    if (each.enum && each.enum.length > 1)
      for (const value of each.enum)
        found.set(`${place} = ${value}`, { kind: 'value', name: `${place} = ${value}` });
    for (const [name, property] of Object.entries(each.properties ?? {})) {
      found.set(`${place}/${name}`, { kind: 'property', name: `${place}/${name}` });
      inner(property, `${place}/${name}`);
    }
    for (const branch of branchesOf(world, each)) inner(branch);
    inner(each.items, `${place}/*`);
  }
}

const branchesOf = (
  world: World,
  { $ref, allOf = [], anyOf = [], oneOf = [] }: Exclude<Schema, boolean>,
): Schema[] => [...($ref === undefined ? [] : [world.resolve($ref)]), ...allOf, ...anyOf, ...oneOf];

/** The names of those of a schema's parts that a value has. */
export function partsIn(world: World, schema: Schema, value: unknown): string[] {
  const found = new Set<string>();
  visit(schema, value, '');
  return [...found];

  function visit(each: Schema, it: unknown, place: string): void {
    if (typeof each === 'boolean' || it === undefined) return;
    if (each.enum?.includes(it)) found.add(`${place} = ${it}`);
    if (isObject(it))
      for (const [name, property] of Object.entries(each.properties ?? {}))
        if (Object.hasOwn(it, name)) {
          found.add(`${place}/${name}`);
          visit(property, it[name], `${place}/${name}`);
        }
    for (const branch of branchesOf(world, each)) visit(branch, it, place);
    if (Array.isArray(it) && each.items !== undefined)
      for (const item of it) visit(each.items, item, `${place}/*`);
  }
}

/** The examples that a value is; in what was sent, defaults may have been filled in beside them. */
export function examplesIn(examples: readonly Example[], value: unknown, filledIn: boolean): string[] {
  return examples
    .filter((example) =>
      filledIn ? holds(value, example.value) : canonical(value) === canonical(example.value),
    )
    .map(({ name }) => name);
}

function holds(value: unknown, wanted: unknown): boolean {
  if (!isObject(value) || !isObject(wanted)) return canonical(value) === canonical(wanted);
  return Object.entries(wanted).every(([name, inner]) => canonical(value[name]) === canonical(inner));
}
