import fc from 'fast-check';
import type { World } from '../schema-values/schema-context.ts';
import type { Operation } from './operations.ts';
import { canTravel, chosenParameters } from './parameters.ts';
import { writableBodies } from './parts.ts';
import type { RequestSpace } from './request-space.ts';
import type { Request } from './serialize.ts';
import type { Attempt } from './test-case.ts';

/**
 * The requests that the contract shows: each example of the body, with what has to be there, and once with every
 * parameter that has an example. Where something that has to be there has none that fits, it is made.
 */
export function exampleRequests(world: World, { operation, sound }: RequestSpace): Attempt[] {
  const [made] = fc.sample(sound, { numRuns: 1, seed: 1 });
  if (!made) return [];
  const bodies = writableBodies(operation).flatMap(({ mediaType, schema, examples }) =>
    examples
      .filter(({ value }) => world.isValid(schema, value))
      .map(({ name, value }) => ({ name, body: { mediaType, value } })),
  );
  const required = withParameters(world, operation, made.request, ({ required }) => required);
  const all = withParameters(world, operation, made.request, () => true);
  const shown: Attempt[] = bodies.map(({ name, body }) => ({
    request: { ...required, body },
    what: `the example ${name}`,
    wrong: undefined,
  }));
  const body = bodies[0]?.body ?? made.request.body;
  const whole = { what: 'every parameter as its example', wrong: undefined, request: { ...all, body } };
  const least = {
    what: 'what is required, as its example',
    wrong: undefined,
    request: { ...required, body },
  };
  return [
    ...shown,
    ...(shown.length > 0 ? [] : [least]),
    ...(chosenParameters(operation).length > 0 ? [whole] : []),
  ];
}

function withParameters(
  world: World,
  operation: Operation,
  made: Request,
  isWanted: (parameter: Operation['parameters'][number]) => boolean,
): Request {
  const request: Request = { ...made, query: {}, header: {}, cookie: {} };
  for (const parameter of chosenParameters(operation)) {
    const { name, in: place, required, examples } = parameter;
    const example = examples.find(
      (value) => canTravel(parameter, value) && world.isValid(parameter.schema, value),
    );
    const value = example === undefined && (required || place === 'path') ? made[place][name] : example;
    if (value !== undefined && (isWanted(parameter) || place === 'path'))
      request[place] = { ...request[place], [name]: value };
  }
  return request;
}
