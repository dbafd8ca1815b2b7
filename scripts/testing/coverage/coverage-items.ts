import { documentedType } from '../../../server/contract/media-type.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { Content } from '../../contract/model/operation.ts';
import type { RequestParameter, TestedOperation } from '../requests/operations.ts';
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

/** The contents of a request and its response. */
export interface Observed {
  /** Returns the value of a parameter; undefined if it was not sent. */
  valueOf: (parameter: RequestParameter) => unknown;
  request: ObservedBody | undefined;
  /** The documented status of the response, such as `4XX`. */
  status: string;
  headerNames: readonly string[];
  response: ObservedBody;
}

interface ObservedBody {
  mediaType: string;
  /** Undefined if it is not JSON. */
  value: unknown;
  /** Whether the value may contain further properties than the message, because defaults were filled in. */
  isFilledIn: boolean;
}

/** Returns an item for everything that the contract documents about these operations. */
export const coverageItemsOf = (
  context: SchemaContext,
  operations: readonly TestedOperation[],
): CoverageItem[] =>
  operations.flatMap((operation) => [
    // Several media types of a body often have the same properties.
    ...new Map([...itemsOf(context, operation)].map((item) => [item.name, item])).values(),
  ]);

/**
 * Yields items of an operation, some of them repeatedly.
 * @param observed only what it contains (default: everything that is documented)
 */
export function* itemsOf(
  context: SchemaContext,
  { id, parameters, body, responses }: TestedOperation,
  observed?: Observed,
): Generator<CoverageItem> {
  const item = (kind: CoverageItemType, name: string) => ({ kind, operation: id, name: `${id} ${name}` });
  yield { kind: 'operation', operation: id, name: id };
  for (const parameter of parameters) {
    const { in: location, name, schema, examples } = parameter;
    const value = observed?.valueOf(parameter);
    if (observed && value === undefined) continue;
    const at = `← ${location}/${name}`;
    yield item('parameter', at);
    const parts = observed ? partsIn(context, schema, value) : partsOf(context, schema);
    for (const part of parts) yield item(part.kind, at + part.name);
    for (const [index, example] of examples.entries())
      if (!observed || isSame(value, example)) yield item('example', `${at} example ${index}`);
  }
  for (const { kind, name } of contentItems(context, body?.content, observed && (observed.request ?? 'none')))
    yield item(kind, `← ${name}`);
  for (const [status, { content, headers }] of Object.entries(responses)) {
    if (observed && observed.status !== status) continue;
    yield item('status', `→ ${status}`);
    for (const { name } of headers)
      if (!observed || observed.headerNames.includes(name.toLowerCase()))
        yield item('header', `→ ${status} ${name}`);
    // Error responses usually share one list of codes, of which each operation returns only some.
    const countsValues = !/^[45]/.test(status);
    for (const { kind, name } of contentItems(context, content, observed?.response))
      if (kind !== 'value' || countsValues) yield item(kind, `→ ${status} ${name}`);
  }
}

function* contentItems(
  context: SchemaContext,
  content: readonly Content[] = [],
  observed?: ObservedBody | 'none',
): Generator<SchemaPart> {
  if (observed === 'none') return;
  for (const { mediaType, schema, examples } of content) {
    if (observed && documentedType([mediaType], observed.mediaType) === undefined) continue;
    yield { kind: 'media type', name: mediaType };
    if (observed && observed.value === undefined) continue;
    yield* observed ? partsIn(context, schema, observed.value) : partsOf(context, schema);
    for (const { name, value } of examples)
      if (!observed || isExample(value, observed)) yield { kind: 'example', name: `example ${name}` };
  }
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

function isExample(example: unknown, { value, isFilledIn }: ObservedBody): boolean {
  if (!isFilledIn || !isObject(value) || !isObject(example)) return isSame(value, example);
  return Object.entries(example).every(([name, inner]) => isSame(ownOf(value, name), inner));
}

interface SchemaPart {
  kind: CoverageItemType;
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

/** Returns the properties and enum values of a schema that a value contains. */
function partsIn(context: SchemaContext, schema: JsonSchema, value: unknown): SchemaPart[] {
  const found = new Map<string, SchemaPart>();
  const add = (kind: SchemaPart['kind'], name: string) => found.set(name, { kind, name });
  visit(schema, value, '');
  return [...found.values()];

  function visit(each: JsonSchema, it: unknown, location: string): void {
    if (typeof each === 'boolean' || it === undefined) return;
    if (each.enum?.includes(it)) add('value', `${location} = ${it}`);
    if (isObject(it))
      for (const [name, property] of Object.entries(each.properties ?? {}))
        if (Object.hasOwn(it, name)) {
          add('property', `${location}/${name}`);
          visit(property, it[name], `${location}/${name}`);
        }
    for (const branch of branchesOf(context, each)) visit(branch, it, location);
    if (Array.isArray(it) && each.items !== undefined)
      for (const item of it) visit(each.items, item, `${location}/*`);
  }
}
