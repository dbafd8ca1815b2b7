import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { NamedExample } from '../../contract/model/operation.ts';
import type { TestedOperation } from '../requests/operations.ts';
import { canonicalJson, type JsonSchema } from '../schema-values/schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';

/** The types of coverage items. */
export const coverageItemTypes = [
  'operation',
  'status',
  'media type',
  'header',
  'parameter',
  'property',
  'value',
  'example',
] as const;
export type CoverageItemType = (typeof coverageItemTypes)[number];

export interface CoverageItem {
  kind: CoverageItemType;
  operation: string;
  /** A unique name: `createContact ← /status = online`. `←` stands for requests, `→` for responses. */
  name: string;
}

/** Returns an item for everything that the contract documents about these operations. */
export function coverageItemsOf(
  context: SchemaContext,
  operations: readonly TestedOperation[],
): CoverageItem[] {
  return operations.flatMap((operation) => {
    const { id } = operation;
    const items: CoverageItem[] = [{ kind: 'operation', operation: id, name: id }];
    const add = (kind: CoverageItemType, name: string) =>
      items.push({ kind, operation: id, name: `${id} ${name}` });
    for (const { in: location, name, schema, examples } of operation.parameters) {
      add('parameter', `← ${location}/${name}`);
      for (const part of partsOf(context, schema)) add(part.kind, `← ${location}/${name}${part.name}`);
      for (const index of examples.keys()) add('example', `← ${location}/${name} example ${index}`);
    }
    for (const { mediaType, schema, examples } of operation.body?.content ?? []) {
      add('media type', `← ${mediaType}`);
      for (const part of partsOf(context, schema)) add(part.kind, `← ${part.name}`);
      for (const example of examples) add('example', `← example ${example.name}`);
    }
    for (const [status, { content, headers }] of Object.entries(operation.responses)) {
      add('status', `→ ${status}`);
      for (const { name } of headers) add('header', `→ ${status} ${name}`);
      for (const { mediaType, schema, examples } of content) {
        add('media type', `→ ${status} ${mediaType}`);
        for (const part of partsOf(context, schema))
          if (part.kind === 'property' || countsValues(status)) add(part.kind, `→ ${status} ${part.name}`);
        for (const example of examples) add('example', `→ ${status} example ${example.name}`);
      }
    }
    // Several media types of a body often have the same properties.
    return [...new Map(items.map((item) => [item.name, item])).values()];
  });
}

/**
 * Whether enum values in responses with a status count. In error responses they do not: these usually share one list of
 * codes, of which each operation returns only some.
 */
export const countsValues = (status: string): boolean => !/^[45]/.test(status);

export interface SchemaPart {
  kind: 'property' | 'value';
  // A property or an enum value: `/name`, `/status = online`; `*` stands for any item.
  name: string;
}

/** Maximum number of parts of one body: schemas that refer to each other have millions. */
const maxParts = 1_000;

/**
 * Returns the properties and enum values of a schema, those at the top first, and at most `maxParts`. Recursion stops at
 * a schema that contains itself.
 */
function partsOf(context: SchemaContext, schema: JsonSchema): SchemaPart[] {
  const found = new Map<string, SchemaPart>();
  const left: { each: JsonSchema; location: string; within: readonly JsonSchema[] }[] = [
    { each: schema, location: '', within: [] },
  ];
  for (const { each, location, within } of left) {
    if (typeof each === 'boolean' || within.includes(each)) continue;
    if (found.size >= maxParts) break;
    const visit = (next: JsonSchema | undefined, at = location) =>
      next !== undefined && left.push({ each: next, location: at, within: [...within, each] });
    if (each.enum && each.enum.length > 1)
      for (const value of each.enum)
        found.set(`${location} = ${value}`, { kind: 'value', name: `${location} = ${value}` });
    for (const [name, property] of Object.entries(each.properties ?? {})) {
      found.set(`${location}/${name}`, { kind: 'property', name: `${location}/${name}` });
      visit(property, `${location}/${name}`);
    }
    for (const branch of branchesOf(context, each)) visit(branch);
    visit(each.items, `${location}/*`);
  }
  return [...found.values()];
}

const branchesOf = (
  context: SchemaContext,
  { $ref, allOf = [], anyOf = [], oneOf = [] }: Exclude<JsonSchema, boolean>,
): JsonSchema[] => [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf, ...anyOf, ...oneOf];

/** Returns the names of the properties and enum values of a schema that a value contains. */
export function schemaPartsIn(context: SchemaContext, schema: JsonSchema, value: unknown): string[] {
  const found = new Set<string>();
  visit(schema, value, '');
  return [...found];

  function visit(each: JsonSchema, it: unknown, location: string): void {
    if (typeof each === 'boolean' || it === undefined) return;
    if (each.enum?.includes(it)) found.add(`${location} = ${it}`);
    if (isObject(it))
      for (const [name, property] of Object.entries(each.properties ?? {}))
        if (Object.hasOwn(it, name)) {
          found.add(`${location}/${name}`);
          visit(property, it[name], `${location}/${name}`);
        }
    for (const branch of branchesOf(context, each)) visit(branch, it, location);
    if (Array.isArray(it) && each.items !== undefined)
      for (const item of it) visit(each.items, item, `${location}/*`);
  }
}

/**
 * Returns the names of the examples that are equal to a value.
 * @param filledIn whether the value may contain further properties, because defaults were filled in
 */
export function exampleItemsIn(
  examples: readonly NamedExample[],
  value: unknown,
  filledIn: boolean,
): string[] {
  return examples
    .filter((example) =>
      filledIn ? holds(value, example.value) : canonicalJson(value) === canonicalJson(example.value),
    )
    .map(({ name }) => name);
}

function holds(value: unknown, wanted: unknown): boolean {
  if (!isObject(value) || !isObject(wanted)) return canonicalJson(value) === canonicalJson(wanted);
  return Object.entries(wanted).every(
    ([name, inner]) => canonicalJson(ownOf(value, name)) === canonicalJson(inner),
  );
}
