import type { RequestParameter } from '../../scripts/testing/requests/operations.ts';

/** Returns the first example of each parameter in a location, by name. */
export const exampleParameters = (
  parameters: readonly RequestParameter[],
  location: RequestParameter['in'],
): Record<string, unknown> =>
  Object.fromEntries(
    parameters
      .filter((each) => each.in === location && each.examples.length > 0)
      .map(({ name, examples }) => [name, examples[0]]),
  );
