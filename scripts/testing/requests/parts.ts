import type { JsonSchema } from '../schema-values/schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import type { ExampleValue, RequestBodySpec, TestedOperation } from './operations.ts';
import { chosenParameters, isSerializable } from './parameters.ts';
import type { GeneratedRequest } from './serialize.ts';

/** A parameter or a kind of body: what is made and broken by itself. */
export interface RequestPart {
  /** As an error begins with it: `query/page`, `body`. */
  name: string;
  schema: JsonSchema;
  examples: ExampleValue[];
  isSerializable: (value: unknown) => boolean;
  isFine: (value: unknown) => boolean;
  put: (request: GeneratedRequest, value: unknown) => GeneratedRequest;
}

/** What an operation is sent, part by part. */
export function requestPartsOf(context: SchemaContext, operation: TestedOperation): RequestPart[] {
  const parameters = chosenParameters(operation).map((parameter): RequestPart => {
    const { name, in: location, schema, examples } = parameter;
    return {
      name: `${location}/${name}`,
      schema,
      examples: examples.map((value, index) => ({ name: `example ${index}`, value })),
      isSerializable: (value) => isSerializable(parameter, value),
      // Everything is text on the way: a number is a text, too.
      isFine: (value) => context.acceptsText(schema, value),
      put: (request, value) => ({ ...request, [location]: { ...request[location], [name]: value } }),
    };
  });
  const bodies = writableBodies(operation).map(
    ({ mediaType, schema, examples }): RequestPart => ({
      name: 'body',
      schema,
      examples,
      isSerializable: (value) => /[/+]json/.test(concrete(mediaType)) || typeof value === 'string',
      isFine: () => false,
      put: (request, value) => ({ ...request, body: { mediaType: concrete(mediaType), value } }),
    }),
  );
  return [...parameters, ...bodies];
}

/** The kinds of bodies that can be written from a value: JSON, texts and simple forms. */
export const writableBodies = ({ body }: TestedOperation): RequestBodySpec['types'] =>
  (body?.types ?? []).filter(({ mediaType }) => isWritable(mediaType));

/** Whether a body of this type can be written from a value. */
export const isWritable = (mediaType: string): boolean =>
  /[/+]json\b|^text\/(?!xml)|^application\/x-www-form-urlencoded|^application\/\*|^\*\/\*/.test(mediaType);

/** A type that is sent where the contract names a family. */
export const concrete = (mediaType: string): string =>
  mediaType === '*/*' || mediaType === 'application/*'
    ? 'application/json'
    : mediaType.replace('text/*', 'text/plain');
