import document from '../../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../generated/operations.ts';
import { createContract } from '../../../scripts/contract/model/contract.ts';
import { operationsOf, type TestedOperation } from '../../../scripts/testing/requests/operations.ts';
import { resourceTypeOf } from '../../../scripts/testing/requests/resource-ids.ts';
import type { JsonSchema, SchemaObject } from '../../../scripts/testing/schema-values/schema.ts';
import {
  createSchemaContext,
  type SchemaContext,
} from '../../../scripts/testing/schema-values/schema-context.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { ApiClient, ApiReply } from '../../support/api-client.ts';
import type { Company } from '../../support/service.ts';

/** Creates an object. @param ids the objects that it can refer to @returns its ID */
type Maker = (company: Company, word: string, ids: Readonly<Record<string, number>>) => Promise<number>;

/**
 * The makers of resources that no request creates, or whose first example tests cannot use. A maker puts a word into every text
 * of its object, and can refer to the objects of the makers before it.
 */
const makers = {
  field: async (company, word) => (await company.field({ name: word })).id,
  // The example of a search finds the last name.
  contact: (company, word, { field }) =>
    company.contact({ first_name: word, last_name: 'Lindqvist', fields: [{ id: field, value: word }] }),
  conversation: async (company, _word, { contact = 0 }) =>
    (await company.conversation({ caller_id: contact })).id,
  webhook: (company, word) =>
    company.webhook({ entity_id: 2, action_id: 2, url: `https://${word}.example.com/a` }),
} satisfies Record<string, Maker>;

/** All operations of the contract. */
export const operationIds = Object.keys(operations) as OperationId[];

const context = createSchemaContext(createContract(document).view('request').document);
const tested = new Map(operationsOf(context).map((operation) => [operation.id, operation]));

/** The operations that create objects, by resource: a request to the path of an object reads it. Those of `makers` are left out. */
const created = operationIds.flatMap((create): [string, OperationId][] => {
  const { method, path } = operations[create];
  const one = operationIds.find(
    (id) => operations[id].method === 'get' && operations[id].path === `${path}/{id}`,
  );
  const read = one && tested.get(one);
  const name = read ? resourceOf(read, 'id') : '';
  return method === 'post' && read && !Object.hasOwn(makers, name) ? [[name, create]] : [];
});

/** The names of all resources. */
const resourceNames = [...Object.keys(makers), ...created.map(([name]) => name)];

/** IDs of one object of every resource, in one company, by the name that `x-id-of` gives to them. */
export type Fixtures = Record<keyof typeof makers | 'message', number>;

/** Returns IDs of objects that need not exist. */
export const fixturesWith = (idOf: (index: number) => number): Fixtures =>
  Object.fromEntries(resourceNames.map((name, index) => [name, idOf(index)])) as Fixtures;

/**
 * Creates one object of every resource.
 * @param word part of every text in them
 * @param given the objects that exist
 */
export async function createFixtures(
  company: Company,
  word = 'Ada',
  given: Readonly<Record<string, number>> = {},
): Promise<Fixtures> {
  const ids: Record<string, number> = { ...given };
  for (const [name, make] of Object.entries(makers)) ids[name] ??= await make(company, word, ids);
  for (const [name, create] of created) {
    const { path, body } = validRequestOf(create, ids, { text: word });
    ids[name] ??= (await company.api.send(path, { method: 'POST', body })).body.id;
  }
  return ids as Fixtures;
}

export interface ValidRequest {
  /** The path with its IDs. */
  path: string;
  /** The required parameters: `?query=ada`, or empty. */
  query: string;
  body?: unknown;
}

/**
 * Returns a valid request to an operation: the contract's first example, about these objects.
 * @param id replaces the ID in the path
 * @param text replaces every text of the body that can be any text
 * @param variant the number of the value of every boolean and enumeration of the body; undefined for those of the example
 */
export function validRequestOf(
  operationId: OperationId,
  of: Partial<Fixtures>,
  { id, text, variant }: { id?: number; text?: string; variant?: number } = {},
): ValidRequest {
  const operation = tested.get(operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  const inPath = operation.parameters.find(({ in: place }) => place === 'path');
  // A body can contain the ID of the path.
  const ids: Record<string, number | undefined> =
    id === undefined || !inPath ? of : { ...of, [resourceOf(operation, inPath.name)]: id };
  const path = operations[operationId].path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    String(ids[resourceOf(operation, name)]),
  );
  const needed = operation.parameters.filter(({ in: place, required }) => place === 'query' && required);
  const query = needed.map(({ name, examples }) => `${name}=${encodeURIComponent(String(examples[0]))}`);
  const content = operation.body?.content[0];
  const body =
    content &&
    replaceValues(context, content.schema, content.examples[0]?.value, (value, schema, resource) => {
      if (resource !== undefined) return ids[resource];
      if (text !== undefined && isFreeText(schema)) return text;
      const choices = schema.enum ?? (typeof value === 'boolean' ? [false, true] : [value]);
      return variant === undefined ? value : choices[variant % choices.length];
    });
  return {
    path,
    query: query.length === 0 ? '' : `?${query.join('&')}`,
    ...(body === undefined ? {} : { body: withoutRepeatedIds(body) }),
  };
}

const isFreeText = ({ type, ...schema }: SchemaObject): boolean =>
  [type].flat().includes('string') &&
  ['enum', 'const', 'format', 'pattern'].every((keyword) => schema[keyword] === undefined);

function resourceOf({ parameters }: TestedOperation, name: string): string {
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
  return (parameter && resourceTypeOf(context, parameter.schema)) ?? '';
}

/** Removes objects of lists that have the same ID as one before: an example can name several objects of a resource. */
function withoutRepeatedIds(value: unknown): unknown {
  if (Array.isArray(value)) {
    const idOf = (each: unknown) => (isObject(each) ? each.id : each);
    return value
      .filter((each, index) => value.findIndex((other) => idOf(other) === idOf(each)) === index)
      .map(withoutRepeatedIds);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutRepeatedIds(each)]));
}

export interface RequestChanges {
  id?: number;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Sends an operation's valid request, with changes. A query is appended to the existing one. */
export function sendValid(
  api: ApiClient,
  operation: OperationId,
  of: Fixtures,
  { id, query: added, ...changes }: RequestChanges = {},
): Promise<ApiReply> {
  const { path, query, ...sent } = validRequestOf(operation, of, id === undefined ? {} : { id });
  const whole = [query, added?.slice(query ? 1 : 0)].filter(Boolean).join('&');
  return api.send(path + whole, { method: operations[operation].method.toUpperCase(), ...sent, ...changes });
}

/** Returns another value for one whose schema is neither an array nor an object. */
type ReplaceValue = (value: unknown, schema: SchemaObject, kind: string | undefined) => unknown;

/**
 * Replaces the values inside a value.
 * @param replace gets each value with its schema and the resource whose ID it is (`x-id-of`), if any
 */
function replaceValues(
  context: Pick<SchemaContext, 'resolve'>,
  schema: JsonSchema,
  value: unknown,
  replace: ReplaceValue,
): unknown {
  const { properties, items, ...whole } = merged(context, schema);
  if (Array.isArray(value)) return value.map((item) => replaceValues(context, items ?? true, item, replace));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        replaceValues(context, ownOf(properties, name) ?? true, inner, replace),
      ]),
    );
  const kind = whole['x-id-of'];
  return value === null ? null : replace(value, whole, typeof kind === 'string' ? kind : undefined);
}

/** Merges a schema with those that it refers to. */
function merged(context: Pick<SchemaContext, 'resolve'>, schema: JsonSchema): SchemaObject {
  if (typeof schema === 'boolean') return {};
  const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema;
  const others = [...($ref === undefined ? [] : [context.resolve($ref)]), ...allOf, ...anyOf, ...oneOf].map(
    (each) => merged(context, each),
  );
  // Keywords next to a reference take precedence.
  const all = [...others.toReversed(), own];
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
  });
}
