import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { RequestParameter, TestedOperation } from '../requests/operations.ts';
import { isSerializable } from '../requests/parameters.ts';
import type { GeneratedRequest, TestCase } from '../requests/serialize.ts';
import { tryGenerate } from '../schema-values/arbitrary.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { valuesOf } from '../schema-values/values.ts';

/** Returns the header with the idempotency key of an operation. */
export const idempotencyKeyOf = ({ parameters }: TestedOperation): RequestParameter | undefined =>
  parameters.find(
    ({ in: location, name }) => location === 'header' && name.toLowerCase() === 'idempotency-key',
  );

/**
 * Gives a request a key that no other request has. A service responds to a known key as it did to the first request, even
 * if its resource has been deleted since.
 * @param requests the request view of the contract
 */
export function withFreshKey(
  requests: SchemaContext,
  { request, wrong, part = wrong?.field }: TestCase,
): GeneratedRequest {
  const key = idempotencyKeyOf(request.operation);
  const isSent = key !== undefined && request.header[key.name] !== undefined;
  if (!isSent || part?.startsWith(`header/${key.name}`)) return request;
  const fits = (value: unknown) => requests.isValid(key.schema, value) && isSerializable(key, value);
  const uuid = randomUUID();
  const fresh =
    [uuid, uuid.replaceAll('-', ''), uuid.slice(0, 8)].find(fits) ??
    tryGenerate(() => fc.sample(valuesOf(requests, [key.schema]), 20))?.find(fits);
  return fresh === undefined ? request : { ...request, header: { ...request.header, [key.name]: fresh } };
}
