import fc from 'fast-check';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { concrete } from './concrete-media-type.ts';
import type { TestedOperation } from './operations.ts';
import { chosenParameters, isSerializable } from './parameters.ts';
import { writableBodies } from './parts.ts';
import type { RequestSpace } from './request-space.ts';
import type { GeneratedRequest } from './serialize.ts';
import type { TestCase } from './test-case.ts';

/**
 * Returns the contract's examples: each example body with the required parameters, and one request with every
 * parameter that has an example. Required parts without a valid example are generated.
 */
export function exampleRequests(
  context: SchemaContext,
  { operation, valid }: Pick<RequestSpace, 'operation' | 'valid'>,
): TestCase[] {
  const [made] = fc.sample(valid, { numRuns: 1, seed: 1 });
  if (!made) return [];
  const bodies = writableBodies(operation).flatMap(({ mediaType, schema, examples }) =>
    examples
      .filter(({ value }) => context.isValid(schema, value))
      .map(({ name, value }) => ({ name, body: { mediaType: concrete(mediaType), value } })),
  );
  const required = withParameters(context, operation, made.request, ({ required }) => required);
  const all = withParameters(context, operation, made.request, () => true);
  const shown: TestCase[] = bodies.map(({ name, body }) => ({
    request: { ...required, body },
    what: `the example ${name}`,
    wrong: undefined,
  }));
  const body = bodies[0]?.body ?? made.request.body;
  const whole = { what: 'every parameter with its example', wrong: undefined, request: { ...all, body } };
  const least = {
    what: 'required parts with their examples',
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
  context: SchemaContext,
  operation: TestedOperation,
  made: GeneratedRequest,
  isWanted: (parameter: TestedOperation['parameters'][number]) => boolean,
): GeneratedRequest {
  const request: GeneratedRequest = { ...made, query: {}, header: {}, cookie: {} };
  for (const parameter of chosenParameters(operation)) {
    const { name, in: location, required, examples } = parameter;
    const example = examples.find(
      (value) => isSerializable(parameter, value) && context.isValid(parameter.schema, value),
    );
    const value =
      example === undefined && (required || location === 'path') ? ownOf(made[location], name) : example;
    if (value !== undefined && (isWanted(parameter) || location === 'path'))
      request[location] = { ...request[location], [name]: value };
  }
  return request;
}
