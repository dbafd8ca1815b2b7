import fc from 'fast-check';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { createContract } from '../../../../scripts/contract/model/contract.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { requestSpaceOf } from '../../../../scripts/testing/requests/request-space.ts';
import {
  type GeneratedRequest,
  type SerializedRequest,
  serializeRequest,
} from '../../../../scripts/testing/requests/serialize.ts';
import type { TestCase } from '../../../../scripts/testing/requests/test-case.ts';
import type { JsonSchema, SchemaObject } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { isObject, listOf } from '../../../../server/lib/json-object.ts';
import { replaceValues } from '../../../support/resources/replace-values.ts';
import { type ResourceName, resourceNames, withoutRepeatedIds } from '../../own-contract/valid-requests.ts';
import type { RandomInput } from './random-input.ts';
import { clockStart, type EngineTarget } from './targets.ts';

const contract = createContract(document);
const context = createSchemaContext(contract.view('request').document);

/** Returns a request to a side. IDs and ETags differ between the sides. */
export type RequestOn = (side: EngineTarget) => SerializedRequest;

/** A value that is chosen when a request is sent to a side. */
class Choice {
  readonly on: (side: EngineTarget) => unknown;
  constructor(on: Choice['on']) {
    this.on = on;
  }
}

/** Number of requests that are generated at once. */
const chunk = 100;

/**
 * Returns generators of requests by operation: mostly valid ones, also at limits, and invalid ones. IDs are mostly those of
 * existing objects. Texts, dates and keys come from a small number of values, so that some are equal and found.
 */
export function randomRequests(input: RandomInput, seed: number): Map<string, () => RequestOn> {
  return new Map(
    operationsOf(context).map((operation) => {
      const { valid, invalid, limits } = requestSpaceOf(context, operation);
      const cases = fc.oneof(
        { weight: 8, arbitrary: valid },
        { weight: 1, arbitrary: fc.constantFrom(...(limits.length > 0 ? limits : [undefined])) },
        { weight: 1, arbitrary: fc.oneof(...invalid.map(({ attempts }) => attempts)) },
      );
      let stock: (TestCase | undefined)[] = [];
      const next = (): TestCase => {
        if (stock.length === 0)
          stock = fc.sample(cases, { numRuns: chunk, seed: seed + input.below(2 ** 30) });
        return stock.pop() ?? next();
      };
      // Some requests are repeated: with the same key, or with unique values that are taken then.
      let last: RequestOn | undefined;
      const request = (): RequestOn => {
        if (!last || input.chance(0.8)) last = requestOf(next(), input);
        return last;
      };
      return [operation.id, request];
    }),
  );
}

/** Returns the request of a test case, with choices for its IDs and some other values. */
function requestOf({ request, wrong, instead }: TestCase, input: RandomInput): RequestOn {
  const { operation } = request;
  const choices = new Map<string, Choice>();
  const choose = (value: unknown, schema: SchemaObject, kind: string | undefined, place: string): unknown => {
    if (kind === 'company' && !wrong) return new Choice(({ company }) => company.id);
    if (isResource(kind) && typeof value === 'number' && value > 0) {
      // An ID in the body can be that of the path.
      const known = choices.get(`${kind} ${value}`) ?? new Choice(input.which(kind));
      choices.set(`${kind} ${value}`, known);
      return known;
    }
    return wrong || place === 'header' ? value : likelyValue(value, schema, input, place === 'query');
  };
  const inSchema = (schema: JsonSchema, value: unknown, place: string) =>
    replaceValues(context, schema, value, (each, own, kind) => choose(each, own, kind, place));
  const chosen: GeneratedRequest = { ...request };
  for (const { name, in: place, schema } of operation.parameters)
    if (Object.hasOwn(request[place], name))
      chosen[place] = { ...chosen[place], [name]: inSchema(schema, request[place][name], place) };
  if (!wrong) chosen.header = withLikelyHeaders(chosen.header, input);
  const schema = operation.body?.content[0]?.schema;
  if (request.body && schema !== undefined)
    chosen.body = { ...request.body, value: inSchema(schema, request.body.value, 'body') };
  return (side) => {
    const { path, query, header, body } = chosen;
    const url = serializeRequest({
      ...chosen,
      path: resolved(side, path),
      header: {},
      query: {},
      body: undefined,
    });
    const etag = side.etags.get(url.target)?.etag ?? '"none"';
    const known = {
      ...resolved(side, header),
      ...('If-Match' in header && !wrong ? { 'If-Match': etag } : {}),
    };
    const sent = { ...chosen, path: resolved(side, path), query: resolved(side, query), header: known };
    const value = resolvedValue(side, body?.value);
    const content = body && { ...body, value: wrong ? value : withoutRepeatedIds(value) };
    return { ...serializeRequest({ ...sent, body: content }), ...instead };
  };
}

const isResource = (kind: string | undefined): kind is ResourceName =>
  (resourceNames as readonly (string | undefined)[]).includes(kind);

/** Replaces a value that can be anything by one that several objects and requests have. */
function likelyValue(value: unknown, schema: SchemaObject, input: RandomInput, isQuery: boolean): unknown {
  const { format, pattern, enum: values, const: constant, maximum = 0 } = schema;
  const examples = listOf(Object.getOwnPropertyDescriptor(schema, 'examples')?.value);
  if (isQuery && typeof value === 'number' && maximum > 1_000) return value % 4;
  if (typeof value !== 'string' || values || constant !== undefined) return value;
  if (format === 'date-time' && isQuery)
    return new Date(clockStart + 60_000 * input.below(400)).toISOString();
  if (format === undefined && pattern === undefined) return input.chance(0.8) ? input.text() : value;
  return examples.length > 0 && input.chance(0.8) ? input.oneOf(examples) : value;
}

function withLikelyHeaders(
  header: GeneratedRequest['header'],
  input: RandomInput,
): GeneratedRequest['header'] {
  const { 'Idempotency-Key': key, 'If-Match': match, ...others } = header;
  return {
    ...others,
    ...(key !== undefined && input.chance(0.5) ? { 'Idempotency-Key': `key-${input.below(40)}` } : {}),
    ...(match !== undefined && input.chance(0.5) ? { 'If-Match': match } : {}),
  };
}

const resolved = (side: EngineTarget, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, resolvedValue(side, value)]));

function resolvedValue(side: EngineTarget, value: unknown): unknown {
  if (value instanceof Choice) return value.on(side);
  if (Array.isArray(value)) return value.map((each) => resolvedValue(side, each));
  return isObject(value) ? resolved(side, value) : value;
}
