import fc from 'fast-check';
import type { World } from '../instances/world.ts';
import type { Attempt } from './attempt.ts';
import type { Operation } from './operations.ts';
import { canTravel, chosenParameters } from './parameters.ts';
import type { RequestSpace } from './spaces.ts';
import type { Request } from './wire.ts';

/**
 * The requests that the contract shows: each example of the body, with what has to be there, and once with every
 * parameter that has an example. Where something that has to be there has none, it is made.
 */
export function exampleRequests(world: World, { operation, sound }: RequestSpace): Attempt[] {
  const [made] = fc.sample(sound, { numRuns: 1, seed: 1 });
  if (!made) return [];
  const bodies = (operation.body?.types ?? []).flatMap(({ mediaType, schema, examples }) =>
    examples.map(({ name, value }) => ({
      name,
      body: { mediaType, value },
      isSound: world.isValid(schema, value),
    })),
  );
  const required = withParameters(operation, made.request, ({ required }) => required);
  const all = withParameters(operation, made.request, () => true);
  const shown: Attempt[] = bodies.map(({ name, body, isSound }) => ({
    request: { ...required, body },
    what: `the example ${name}`,
    wrong: isSound ? undefined : { kind: 'broken', keyword: 'example', field: 'body' },
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
  operation: Operation,
  made: Request,
  isWanted: (parameter: Operation['parameters'][number]) => boolean,
): Request {
  const request: Request = { ...made, query: {}, header: {}, cookie: {} };
  for (const parameter of chosenParameters(operation)) {
    const { name, in: place, required, examples } = parameter;
    const example = examples.find((value) => canTravel(parameter, value));
    const value = example === undefined && (required || place === 'path') ? made[place][name] : example;
    if (value !== undefined && (isWanted(parameter) || place === 'path'))
      request[place] = { ...request[place], [name]: value };
  }
  return request;
}
