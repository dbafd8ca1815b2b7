import fc from 'fast-check';
import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { filterOrThrow, UnsatisfiableSchema } from '../schema-values/arbitrary.ts';
import { schemaProperties } from '../schema-values/object-schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { valuesOf } from '../schema-values/values.ts';
import { concrete, type RequestParameter, type TestedOperation } from './operations.ts';
import { chosenParameters, isSerializable } from './parameters.ts';
import { isForm, isSerializableBody, isValidForm, writableBodies } from './parts.ts';
import { resourceTypeOf } from './resource-ids.ts';
import type { GeneratedRequest } from './serialize.ts';

/**
 * Returns valid requests. Required parts are always present, optional parts sometimes.
 * @throws UnsatisfiableSchema if no request is valid
 */
export const validRequests = (
  context: SchemaContext,
  operation: TestedOperation,
): fc.Arbitrary<GeneratedRequest> =>
  fittingRequests(context, operation).map((request) => withOwnId(context, request));

function fittingRequests(context: SchemaContext, operation: TestedOperation): fc.Arbitrary<GeneratedRequest> {
  const parameters = chosenParameters(operation);
  const placed = (location: RequestParameter['in']) => {
    const own = parameters.filter((parameter) => parameter.in === location);
    const values = Object.fromEntries(own.map((each) => [each.name, soundValues(context, each)]));
    const requiredKeys = own
      .filter(({ required }) => required || location === 'path')
      .map(({ name }) => name);
    return fc.record(values, { requiredKeys, noNullPrototype: true });
  };
  const bodies = writableBodies(operation).map(({ mediaType, schema }) =>
    filterOrThrow(
      valuesOf(context, [schema]),
      (value) =>
        isSerializableBody(mediaType, value) &&
        (!isForm(mediaType) || isValidForm(context, { mediaType, schema }, value)),
      `bodies that can be sent as ${mediaType}`,
    ).map((value) => ({ mediaType: concrete(mediaType), value })),
  );
  if (bodies.length === 0 && operation.body?.required)
    throw new UnsatisfiableSchema(
      `Bodies of ${operation.body.content.map(({ mediaType }) => mediaType).join(', ')} cannot be serialized.`,
    );
  const body =
    bodies.length === 0
      ? fc.constant(undefined)
      : operation.body?.required
        ? fc.oneof(...bodies)
        : fc.option(fc.oneof(...bodies), { nil: undefined });
  return fc
    .record(
      {
        path: placed('path'),
        query: placed('query'),
        header: placed('header'),
        cookie: placed('cookie'),
        body,
      },
      { noNullPrototype: true },
    )
    .map((parts) => ({ operation, ...parts }));
}

const soundValues = (context: SchemaContext, parameter: RequestParameter): fc.Arbitrary<unknown> =>
  filterOrThrow(
    valuesOf(context, [parameter.schema]),
    (value) => isSerializable(parameter, value),
    `${parameter.in}/${parameter.name}`,
  );

/** Copies IDs from the path to the body: IDs of the same resource type must be equal, but no schema states this. */
function withOwnId(context: SchemaContext, request: GeneratedRequest): GeneratedRequest {
  const { operation, path, body } = request;
  const inPath = operation.parameters.flatMap((each) => {
    const kind = each.in === 'path' ? each.resourceType : undefined;
    return kind === undefined ? [] : [{ kind, value: ownOf(path, each.name) }];
  });
  if (inPath.length === 0 || !body || !isObject(body.value)) return request;
  const schema = operation.body?.content.find(
    ({ mediaType }) => concrete(mediaType) === body.mediaType,
  )?.schema;
  const properties = schema === undefined ? {} : schemaProperties(context, schema);
  const own = Object.entries(body.value).map(([name, value]) => {
    const property = ownOf(properties, name);
    const kind = property === undefined ? undefined : resourceTypeOf(context, property);
    return [name, inPath.find((each) => each.kind === kind)?.value ?? value];
  });
  return { ...request, body: { ...body, value: Object.fromEntries(own) } };
}

/** Returns the shortest of 30 valid requests, without optional headers, so that a boundary value stands out. */
export function minimalRequest(valid: fc.Arbitrary<GeneratedRequest>): GeneratedRequest | undefined {
  const some = fc
    .sample(valid, { numRuns: 30, seed: 1 })
    .map((request) => withoutOptional(request, ['header']));
  return some.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
}

/** Removes optional parameters at some locations. */
export function withoutOptional(
  request: GeneratedRequest,
  locations: readonly ('query' | 'header' | 'cookie')[],
): GeneratedRequest {
  const isRequired = (location: string, name: string) =>
    request.operation.parameters.some((each) => each.in === location && each.name === name && each.required);
  const kept = locations.map((location) => [
    location,
    Object.fromEntries(Object.entries(request[location]).filter(([name]) => isRequired(location, name))),
  ]);
  return { ...request, ...Object.fromEntries(kept) };
}

const sizeOf = ({ operation: _operation, ...parts }: GeneratedRequest): number =>
  JSON.stringify(parts).length;
