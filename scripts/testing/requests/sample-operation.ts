import fc from 'fast-check';
import { isJson } from '../../../server/contract/media-type.ts';
import type { Contract } from '../../contract/model/contract.ts';
import { invalidValuesOf } from '../schema-values/invalid-values.ts';
import { createSchemaContext } from '../schema-values/schema-context.ts';
import { valuesOf } from '../schema-values/values.ts';
import { operationsOf, type TestedOperation } from './operations.ts';
import { requestSpaceOf } from './request-space.ts';
import { type GeneratedRequest, serializeRequest } from './serialize.ts';

export interface SampleOptions {
  /** The ID of the operation. */
  operation: string;
  /** Whether the samples conform to the contract (default true). An invalid sample has one violation. */
  valid?: boolean;
  /** Number of samples (default 20). */
  count?: number;
  /** The same seed gives the same samples (default 1). */
  seed?: number;
}

export interface SampleRequest {
  /** The purpose of the sample: `a valid request`, `maxLength of /name broken`. */
  what: string;
  method: string;
  /** Path and query, percent-encoded, to append to the URL of the API. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** The values before serialization. */
  values: Pick<GeneratedRequest, 'path' | 'query' | 'header' | 'cookie'> & { body: unknown };
}

/**
 * Generates requests to an operation, without credentials.
 * @throws Error if there is no such operation, or no such request
 */
export function sampleRequests(contract: Contract, options: SampleOptions): SampleRequest[] {
  const { valid: isValid = true } = options;
  const context = createSchemaContext(contract.view('request').document);
  const operation = operationNamed(operationsOf(context), options.operation);
  const { valid, invalid } = requestSpaceOf(context, operation);
  const broken = invalid.map(({ attempts }) => attempts);
  if (!isValid && broken.length === 0) throw new Error(`No request to ${operation.id} is invalid.`);
  return sampled(isValid ? valid : fc.oneof(...broken), options).map(({ what, request, instead }) => {
    const { method, target, headers, body } = { ...serializeRequest(request), ...instead };
    const { path, query, header, cookie } = request;
    return {
      ...{ what, method, body },
      path: target,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      values: { path, query, header, cookie, body: request.body?.value },
    };
  });
}

/**
 * Generates bodies of an operation's responses, for tests of clients.
 * @param status a documented key: `200`, `4XX`, `default`
 * @throws Error if there is no such operation or JSON response, or no such body
 */
export function sampleResponseBodies(contract: Contract, status: string, options: SampleOptions): unknown[] {
  const { valid = true } = options;
  const context = createSchemaContext(contract.view('response').document);
  const operation = operationNamed(operationsOf(context), options.operation);
  const type = operation.responses[status]?.content.find(({ mediaType }) => isJson(mediaType));
  if (!type) throw new Error(`${operation.id} documents no JSON response ${status}.`);
  if (valid) return sampled(valuesOf(context, [type.schema]), options);
  const spaces = invalidValuesOf(context, type.schema).map(({ values }) => values);
  if (spaces.length === 0) throw new Error(`No body of ${operation.id} ${status} is invalid.`);
  return sampled(fc.oneof(...spaces), options).map(({ value }) => value);
}

const sampled = <T>(values: fc.Arbitrary<T>, { count = 20, seed = 1 }: SampleOptions): T[] =>
  fc.sample(values, { numRuns: count, seed });

function operationNamed(operations: TestedOperation[], id: string): TestedOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found)
    throw new Error(
      `The contract has no operation ${id}. Operations: ${operations.map((each) => each.id).join(', ')}.`,
    );
  return found;
}
