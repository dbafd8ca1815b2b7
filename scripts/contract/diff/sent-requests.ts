import fc from 'fast-check';
import { isObject } from '../../../server/lib/json-object.ts';
import { withCredentials } from '../../testing/conformance/credentials.ts';
import { concrete, type RequestParameter, type TestedOperation } from '../../testing/requests/operations.ts';
import { chosenParameters, isSerializable } from '../../testing/requests/parameters.ts';
import { isSerializableBody, isWritable } from '../../testing/requests/parts.ts';
import { type GeneratedRequest, serializeRequest } from '../../testing/requests/serialize.ts';
import { validRequests, withoutOptional } from '../../testing/requests/valid-requests.ts';
import { tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { someValuesOf } from '../../testing/schema-values/values.ts';
import type { Operation, SecurityScheme } from '../model/operation.ts';
import type { JudgedRequest } from './judge-requests.ts';
import type { WorkBudget } from './work-budget.ts';

/** An operation of the base, with what is needed to generate its requests. */
export interface SentOperation {
  context: SchemaContext;
  /** Limits the work with values of the context. */
  budget: WorkBudget;
  tested: TestedOperation;
  operation: Operation;
}

// Number of values per parameter and body, and of whole requests.
const maxValues = 8;
const maxWhole = 12;

/** Returns the shortest valid request, without optional parts; undefined if none can be generated. */
export function leastRequest({ context, budget, tested }: SentOperation): GeneratedRequest | undefined {
  const sampled = () => fc.sample(validRequests(context, tested), { numRuns: 15, seed: 1 });
  budget.renew();
  const some = budget.find(() => tryGenerate(sampled)) ?? [];
  const least = some.map((request) => {
    const { body, ...rest } = withoutOptional(request, ['query', 'header', 'cookie']);
    return tested.body?.required ? { ...rest, body } : rest;
  });
  return least.toSorted((one, other) => lengthOf(one) - lengthOf(other))[0];
}

const lengthOf = ({ operation: _operation, ...parts }: GeneratedRequest): number =>
  JSON.stringify(parts).length;

/** Yields requests that use each part of an operation: each parameter and body alone, and random whole requests. */
export function* requestsOf(sent: SentOperation, least: GeneratedRequest): Generator<GeneratedRequest> {
  const { context, tested, operation } = sent;
  yield least;
  for (const parameter of chosenParameters(tested))
    for (const value of valuesOfParameter(context, parameter)) yield withParameter(least, parameter, value);
  for (const parameter of operation.parameters)
    if (parameter.node.allowEmptyValue === true) yield withParameter(least, parameter, '');
  for (const { mediaType, schema } of tested.body?.content ?? [])
    for (const type of typesWithin(mediaType)) {
      for (const value of isWritable(type) ? someValuesOf(context, schema, maxValues) : ['text'])
        if (!isWritable(type) || isSerializableBody(type, value))
          yield { ...least, body: { mediaType: type, value } };
    }
  yield* tryGenerate(() => fc.sample(validRequests(context, tested), { numRuns: maxWhole, seed: 2 })) ?? [];
}

/** Returns examples, the default and generated values of a parameter that can be sent, the shortest first. */
function valuesOfParameter(context: SchemaContext, parameter: RequestParameter): unknown[] {
  const made = someValuesOf(context, parameter.schema, maxValues);
  const short = made.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  const { schema, examples } = parameter;
  const usual = isObject(schema) && 'default' in schema ? [schema.default] : [];
  return [...examples, ...usual, ...short].filter((value) => isSerializable(parameter, value));
}

/** Returns a request with another value of a parameter. */
export const withParameter = (
  request: GeneratedRequest,
  { in: location, name }: Pick<RequestParameter, 'in' | 'name'>,
  value: unknown,
): GeneratedRequest => ({ ...request, [location]: { ...request[location], [name]: value } });

/** Returns media types that a documented one allows: itself, or some of its range. */
function typesWithin(mediaType: string): string[] {
  if (!mediaType.includes('*')) return [mediaType];
  const some = [concrete(mediaType), 'application/json', 'application/octet-stream', 'text/plain'];
  const range = new RegExp(`^${mediaType.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`, 'i');
  return [...new Set(some)].filter((type) => range.test(type));
}

/**
 * Serializes a request, once for each alternative of the credentials of its operation. Those that are not part of a
 * message, such as certificates, are left out.
 */
export function serialized(request: GeneratedRequest, operation: Operation): JudgedRequest[] {
  const { securitySchemes, security } = operation;
  const alternatives =
    securitySchemes.length === 0
      ? [{ schemes: [], scopes: [] }]
      : securitySchemes.map((schemes, index) => ({
          schemes,
          scopes: Object.values(security[index] ?? {}).flat(),
        }));
  const plain = serializeRequest(request);
  const [basePath] = operation.basePaths;
  return alternatives
    .filter(({ schemes }) => schemes.every(({ type }) => type !== 'mutualTLS'))
    .map(({ schemes, scopes }) => ({
      wire: schemes.map(credentialOf).reduce(withCredentials, { ...plain, basePath }),
      scopes,
    }));
}

function credentialOf({ type, in: location, name = '', scheme = 'bearer' }: SecurityScheme) {
  if (type !== 'apiKey') {
    // A user and a password, as RFC 7617 encodes them.
    const token = scheme === 'basic' ? 'dXNlcjpwYXNzd29yZA==' : 'token';
    const word = type === 'http' ? scheme : 'bearer';
    return { headers: { Authorization: `${word[0]?.toUpperCase()}${word.slice(1)} ${token}` }, query: {} };
  }
  if (location === 'query') return { headers: {}, query: { [name]: 'key' } };
  return { headers: location === 'cookie' ? { Cookie: `${name}=key` } : { [name]: 'key' }, query: {} };
}
