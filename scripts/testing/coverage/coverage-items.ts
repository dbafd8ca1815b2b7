import { documentedType } from '../../../server/contract/media-type.ts';
import { listOf, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { Content } from '../../contract/model/operation.ts';
import type { RequestParameter, TestedOperation } from '../requests/operations.ts';
import type { JsonSchema } from '../schema-values/schema.ts';
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
    const { in: location, name, schema } = parameter;
    const value = observed?.valueOf(parameter);
    if (observed && value === undefined) continue;
    const at = `← ${location}/${name}`;
    yield item('parameter', at);
    for (const part of partsOf(context, schema, observed && { value })) yield item(part.kind, at + part.name);
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
  for (const { mediaType, schema } of content) {
    if (observed && documentedType([mediaType], observed.mediaType) === undefined) continue;
    yield { kind: 'media type', name: mediaType };
    if (observed && observed.value === undefined) continue;
    yield* partsOf(context, schema, observed);
  }
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
 * @param observed returns only those that its value contains (default: all)
 */
function partsOf(context: SchemaContext, schema: JsonSchema, observed?: { value: unknown }): SchemaPart[] {
  const found = new Map<string, SchemaPart>();
  const add = (kind: SchemaPart['kind'], name: string) => found.set(name, { kind, name });
  const left = [{ each: schema, location: '', within: [] as readonly JsonSchema[], observed }];
  for (const { each, location, within, observed: seen } of left) {
    if (typeof each === 'boolean' || within.includes(each)) continue;
    if (found.size >= maxParts) break;
    const visit = (next: JsonSchema, at: string, inside = seen) =>
      left.push({ each: next, location: at, within: [...within, each], observed: inside });
    const { enum: listed = [], properties = {}, items } = each;
    for (const value of listed)
      if (seen ? seen.value === value : listed.length > 1) add('value', `${location} = ${value}`);
    for (const [name, property] of Object.entries(properties)) {
      const inner = ownOf(objectOf(seen?.value), name);
      if (seen && inner === undefined) continue;
      add('property', `${location}/${name}`);
      visit(property, `${location}/${name}`, seen && { value: inner });
    }
    for (const branch of branchesOf(context, each)) visit(branch, location);
    if (items === undefined) continue;
    const inside = seen ? listOf(seen.value).map((value) => ({ value })) : [undefined];
    for (const item of inside) visit(items, `${location}/*`, item);
  }
  return [...found.values()];
}

const branchesOf = (
  context: SchemaContext,
  { $ref, allOf = [], anyOf = [], oneOf = [] }: Exclude<JsonSchema, boolean>,
): JsonSchema[] => [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf, ...anyOf, ...oneOf];
