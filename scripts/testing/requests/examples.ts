import fc from 'fast-check';
import { ownOf } from '../../../server/lib/own-property.ts';
import { withSchemaExamples } from '../../contract/mock-server/plausible-body.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { concrete, type TestedOperation } from './operations.ts';
import { chosenParameters, isSerializable } from './parameters.ts';
import { isSerializableBody, writableBodies } from './parts.ts';
import type { RequestSpace } from './request-space.ts';
import type { GeneratedRequest, TestCase } from './serialize.ts';

/**
 * Returns the contract's examples: each example body with the required parameters, and one request with every
 * parameter that has an example. Required parts without a valid example are generated, from the examples of their properties
 * as far as these exist.
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
  const body = bodies[0]?.body ?? bodyOfExamples(context, operation, made.request.body);
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

function bodyOfExamples(
  context: SchemaContext,
  operation: TestedOperation,
  made: GeneratedRequest['body'],
): GeneratedRequest['body'] {
  const type = writableBodies(operation).find(({ mediaType }) => concrete(mediaType) === made?.mediaType);
  if (!made || !type) return made;
  const value = withSchemaExamples(context, type.schema, made.value);
  return isSerializableBody(type.mediaType, value) ? { ...made, value } : made;
}

function withParameters(
  context: SchemaContext,
  operation: TestedOperation,
  made: GeneratedRequest,
  isWanted: (parameter: TestedOperation['parameters'][number]) => boolean,
): GeneratedRequest {
  const request: GeneratedRequest = { ...made, query: {}, header: {}, cookie: {} };
  for (const parameter of chosenParameters(operation)) {
    const { name, in: location, required, schema, examples } = parameter;
    const generated = required || location === 'path' ? ownOf(made[location], name) : undefined;
    const ofSchema = generated === undefined ? undefined : withSchemaExamples(context, schema, generated);
    const value =
      [...examples, ofSchema].find(
        (each) => each !== undefined && isSerializable(parameter, each) && context.isValid(schema, each),
      ) ?? generated;
    if (value !== undefined && (isWanted(parameter) || location === 'path'))
      request[location] = { ...request[location], [name]: value };
  }
  return request;
}
