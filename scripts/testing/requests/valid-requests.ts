import fc from 'fast-check';
import { CannotMake, sieve } from '../schema-values/arbitrary.ts';
import { isObject } from '../schema-values/schema.ts';
import type { World } from '../schema-values/schema-context.ts';
import { valuesOf } from '../schema-values/values.ts';
import type { Operation, Parameter } from './operations.ts';
import { canTravel, chosenParameters } from './parameters.ts';
import { concrete, writableBodies } from './parts.ts';
import { kindOf, propertiesOf } from './resource-ids.ts';
import type { Request } from './serialize.ts';

/**
 * Requests that fit: what is required always, everything else now and then.
 * @throws CannotMake where there are none
 */
export const soundRequests = (world: World, operation: Operation): fc.Arbitrary<Request> =>
  fittingRequests(world, operation).map((request) => withOwnId(world, request));

function fittingRequests(world: World, operation: Operation): fc.Arbitrary<Request> {
  const parameters = chosenParameters(operation);
  const placed = (place: Parameter['in']) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const values = Object.fromEntries(own.map((each) => [each.name, soundValues(world, each)]));
    const requiredKeys = own.filter(({ required }) => required || place === 'path').map(({ name }) => name);
    return fc.record(values, { requiredKeys, noNullPrototype: true });
  };
  const bodies = writableBodies(operation).map(({ mediaType, schema }) =>
    valuesOf(world, [schema]).map((value) => ({ mediaType: concrete(mediaType), value })),
  );
  if (bodies.length === 0 && operation.body?.required)
    throw new CannotMake(
      `Bodies of ${operation.body.types.map(({ mediaType }) => mediaType).join(', ')} cannot be written.`,
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

const soundValues = (world: World, parameter: Parameter): fc.Arbitrary<unknown> =>
  sieve(
    valuesOf(world, [parameter.schema]),
    (value) => canTravel(parameter, value),
    `${parameter.in}/${parameter.name}`,
  );

/** Where a body names what the path names, too, it has to be the same: no schema says so. */
function withOwnId(world: World, request: Request): Request {
  const { operation, path, body } = request;
  const inPath = operation.parameters.flatMap((each) => {
    const kind = each.in === 'path' ? kindOf(world, each.schema) : undefined;
    return kind === undefined ? [] : [{ kind, value: path[each.name] }];
  });
  if (inPath.length === 0 || !body || !isObject(body.value)) return request;
  const schema = operation.body?.types.find(
    ({ mediaType }) => concrete(mediaType) === body.mediaType,
  )?.schema;
  const properties = schema === undefined ? {} : propertiesOf(world, schema);
  const own = Object.entries(body.value).map(([name, value]) => {
    const property = properties[name];
    const kind = property === undefined ? undefined : kindOf(world, property);
    return [name, inPath.find((each) => each.kind === kind)?.value ?? value];
  });
  return { ...request, body: { ...body, value: Object.fromEntries(own) } };
}

/** A short request with what has to be there: what surrounds a limit only distracts from it. */
export function plainest(sound: fc.Arbitrary<Request>): Request | undefined {
  const some = fc
    .sample(sound, { numRuns: 30, seed: 1 })
    .map((request) => withoutOptional(request, ['header']));
  return some.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
}

/** A request without the parameters in some places that need not be there. */
export function withoutOptional(
  request: Request,
  places: readonly ('query' | 'header' | 'cookie')[],
): Request {
  const isRequired = (place: string, name: string) =>
    request.operation.parameters.some((each) => each.in === place && each.name === name && each.required);
  const kept = places.map((place) => [
    place,
    Object.fromEntries(Object.entries(request[place]).filter(([name]) => isRequired(place, name))),
  ]);
  return { ...request, ...Object.fromEntries(kept) };
}

const sizeOf = ({ operation: _operation, ...parts }: Request): number => JSON.stringify(parts).length;
