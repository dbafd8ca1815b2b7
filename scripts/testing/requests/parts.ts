import { isJson } from '../../../server/contract/media-type.ts';
import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import type { NamedExample, RequestBody } from '../../contract/model/operation.ts';
import type { JsonSchema } from '../schema-values/schema.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { concrete, type TestedOperation } from './operations.ts';
import { chosenParameters, isSerializable, withoutDelimiters } from './parameters.ts';
import type { GeneratedRequest } from './serialize.ts';

/** A parameter or a body type. Each part is generated and invalidated separately. */
export interface RequestPart {
  /** The prefix of its locations: `query/page`, `body`. */
  name: string;
  schema: JsonSchema;
  examples: readonly NamedExample[];
  isSerializable: (value: unknown) => boolean;
  /** Whether a value that violates the schema becomes valid when it is serialized. */
  isFine: (value: unknown) => boolean;
  /** Returns the value without unnecessary parts that cannot be serialized: empty lists, or commas in items. */
  sendable: (value: unknown) => unknown;
  put: (request: GeneratedRequest, value: unknown) => GeneratedRequest;
}

/** Returns the parts of an operation's requests. */
export function requestPartsOf(context: SchemaContext, operation: TestedOperation): RequestPart[] {
  const parameters = chosenParameters(operation).map((parameter): RequestPart => {
    const { name, in: location, schema, examples } = parameter;
    return {
      name: `${location}/${name}`,
      schema,
      examples: examples.map((value, index) => ({ name: `example ${index}`, value })),
      isSerializable: (value) => isSerializable(parameter, value),
      // Parameters are sent as text, so a number becomes valid where the schema requires a string.
      isFine: (value) => context.acceptsText(schema, value),
      sendable: (value) =>
        isSerializable(parameter, value) ? value : orSame(context, schema, value, withPlainItems(value)),
      put: (request, value) => ({ ...request, [location]: { ...request[location], [name]: value } }),
    };
  });
  const bodies = writableBodies(operation).map(
    ({ mediaType, schema, examples }): RequestPart => ({
      name: 'body',
      schema,
      examples,
      isSerializable: (value) => isSerializableBody(mediaType, value),
      isFine: (value) => isValidForm(context, { mediaType, schema }, value),
      sendable: (value) => (isForm(mediaType) ? withoutEmptyLists(context, schema, value) : value),
      put: (request, value) => ({ ...request, body: { mediaType: concrete(mediaType), value } }),
    }),
  );
  return [...parameters, ...bodies];
}

/**
 * Whether a value is valid after it is sent as a form: everything is text there, so a number becomes valid where the
 * schema requires a string.
 */
export const isValidForm = (
  context: SchemaContext,
  { mediaType, schema }: Pick<RequestBody['content'][number], 'mediaType' | 'schema'>,
  value: unknown,
): boolean => isForm(mediaType) && isFlat(value) && context.acceptsText(schema, value);

const withPlainItems = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'string' ? withoutDelimiters(item) : item))
    : value;

/** Removes the empty lists of an object, unless this changes what it violates. */
function withoutEmptyLists(context: SchemaContext, schema: JsonSchema, value: unknown): unknown {
  if (!isObject(value)) return value;
  const isEmpty = (each: unknown) => Array.isArray(each) && each.length === 0;
  const rest = Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)));
  return orSame(context, schema, value, rest);
}

/** Returns a changed value if it violates the same as the value; otherwise the value. */
function orSame(context: SchemaContext, schema: JsonSchema, value: unknown, changed: unknown): unknown {
  const violated = (given: unknown) =>
    JSON.stringify(context.violationsOf(schema, given).map(({ keyword, location }) => [keyword, location]));
  return violated(changed) === violated(value) ? changed : value;
}

export const isForm = (mediaType: string): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)/.test(mediaType);

/**
 * Whether a value can be sent as a body of this media type. An empty text is no body. A form needs at least one field. In a
 * multipart form, field names are sent in headers, so they are limited to safe characters.
 */
export function isSerializableBody(mediaType: string, value: unknown): boolean {
  if (!isForm(mediaType)) return isJson(concrete(mediaType)) || (typeof value === 'string' && value !== '');
  if (!isFlat(value)) return false;
  const names = Object.keys(value);
  return (
    names.length > 0 &&
    (!mediaType.startsWith('multipart/') || names.every((name) => /^[\w$.[\] -]+$/.test(name)))
  );
}

/** Whether a value can be sent as a form without loss: an object of scalars and non-empty lists of scalars. */
const isFlat = (value: unknown): value is Record<string, unknown> =>
  isObject(value) &&
  Object.values(value).every((each) =>
    Array.isArray(each) ? each.length > 0 && each.every(isScalar) : isScalar(each),
  );

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns the body types that can be serialized: JSON, text, and forms whose properties have no style of their own. */
export const writableBodies = ({ body }: TestedOperation): RequestBody['content'] =>
  (body?.content ?? []).filter(
    ({ mediaType, node }) =>
      isWritable(mediaType) && !(isForm(mediaType) && Object.values(objectOf(node.encoding)).some(isEncoded)),
  );

const isEncoded = (encoding: unknown): boolean =>
  ['style', 'explode'].some((keyword) => keyword in objectOf(encoding)) ||
  /json/.test(String(objectOf(encoding).contentType));

/** Whether a body of this media type can be serialized. */
export const isWritable = (mediaType: string): boolean =>
  isJson(mediaType) ||
  /^text\/(?!xml)|^application\/x-www-form-urlencoded|^multipart\/form-data|^application\/\*|^\*\/\*/.test(
    mediaType,
  );
