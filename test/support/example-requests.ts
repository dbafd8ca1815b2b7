import document from '../../generated/openapi.json' with { type: 'json' };
import { viewFor } from '../../scripts/contract/model/read-write-views.ts';
import { operationsOf, type RequestParameter } from '../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../scripts/testing/schema-values/schema-context.ts';

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

const operations = operationsOf(createSchemaContext(viewFor('requests', document)));

/** Each example body of our contract, or no body, with the examples of all parameters. */
export const exampleRequests = operations.flatMap((operation) => {
  const of = (location: RequestParameter['in']) => exampleParameters(operation.parameters, location);
  const parts = { operation, path: of('path'), query: of('query'), header: of('header'), cookie: {} };
  const bodies = (operation.body?.content ?? []).flatMap(({ mediaType, examples }) =>
    examples.map(({ name, value }) => ({ name, body: { mediaType, value } })),
  );
  return bodies.length === 0
    ? [{ name: operation.id, request: parts }]
    : bodies.map(({ name, body }) => ({ name: `${operation.id} ${name}`, request: { ...parts, body } }));
});
