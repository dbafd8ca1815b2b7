import type { Schema } from '../schema-values/schema.ts';
import type { World } from '../schema-values/schema-context.ts';
import type { Body, Example, Operation } from './operations.ts';
import { canTravel, chosenParameters } from './parameters.ts';
import type { Request } from './serialize.ts';

/** A parameter or a kind of body: what is made and broken by itself. */
export interface Part {
  /** As an error begins with it: `query/page`, `body`. */
  name: string;
  schema: Schema;
  examples: Example[];
  canTravel: (value: unknown) => boolean;
  isFine: (value: unknown) => boolean;
  put: (request: Request, value: unknown) => Request;
}

/** What an operation is sent, part by part. */
export function partsOf(world: World, operation: Operation): Part[] {
  const parameters = chosenParameters(operation).map((parameter): Part => {
    const { name, in: place, schema, examples } = parameter;
    return {
      name: `${place}/${name}`,
      schema,
      examples: examples.map((value, index) => ({ name: `example ${index}`, value })),
      canTravel: (value) => canTravel(parameter, value),
      // Everything is text on the way: a number is a text, too.
      isFine: (value) => world.acceptsText(schema, value),
      put: (request, value) => ({ ...request, [place]: { ...request[place], [name]: value } }),
    };
  });
  const bodies = writableBodies(operation).map(
    ({ mediaType, schema, examples }): Part => ({
      name: 'body',
      schema,
      examples,
      canTravel: (value) => /[/+]json/.test(concrete(mediaType)) || typeof value === 'string',
      isFine: () => false,
      put: (request, value) => ({ ...request, body: { mediaType: concrete(mediaType), value } }),
    }),
  );
  return [...parameters, ...bodies];
}

/** The kinds of bodies that can be written from a value: JSON, texts and simple forms. */
export const writableBodies = ({ body }: Operation): Body['types'] =>
  (body?.types ?? []).filter(({ mediaType }) => isWritable(mediaType));

/** Whether a body of this type can be written from a value. */
export const isWritable = (mediaType: string): boolean =>
  /[/+]json\b|^text\/(?!xml)|^application\/x-www-form-urlencoded|^application\/\*|^\*\/\*/.test(mediaType);

/** A type that is sent where the contract names a family. */
export const concrete = (mediaType: string): string =>
  mediaType === '*/*' || mediaType === 'application/*'
    ? 'application/json'
    : mediaType.replace('text/*', 'text/plain');
