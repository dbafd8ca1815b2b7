import { isJson } from '../../../server/contract/media-type.ts';
import { entriesOf, isObject, type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { followReferences, isPureReference, pointerOf, pointerTokens } from '../../lib/json-pointer.ts';
import { isSchema } from '../../testing/schema-values/schema.ts';
import type {
  Content,
  NamedExample,
  OperationResponse,
  RequestBody,
  ResponseHeader,
  ResponseLink,
  SchemaUse,
} from './operation.ts';
import type { References } from './references.ts';

export function readBody(references: References, given: unknown, at: string): RequestBody {
  const { node, pointer } = references.follow(given, at);
  return { required: node.required === true, content: readContent(references, node, pointer), pointer, node };
}

export function readResponse(references: References, given: unknown, at: string): OperationResponse {
  const { node, siblings, pointer } = references.follow(given, at);
  return {
    headers: entriesOf(node.headers).map(([name, each]) =>
      readHeader(references, name, each, `${pointer}/headers/${escapePointer(name)}`),
    ),
    content: readContent(references, node, pointer),
    links: entriesOf(node.links).map(([, each]) => readLink(references.follow(each).node)),
    pointer,
    node: { ...node, ...siblings },
  };
}

/** Returns the media types of a body, a parameter or a header. @param pointer the JSON Pointer to the node */
export const readContent = (references: References, { content }: JsonObject, pointer: string): Content[] =>
  entriesOf(content).map(([mediaType, given]) => {
    const found = references.follow(given, `${pointer}/content/${escapePointer(mediaType)}`);
    return {
      mediaType,
      ...schemaUseIn(references, found.node, found.pointer),
      examples: examplesIn(references, found.node),
      pointer: found.pointer,
      node: found.node,
    };
  });

function readHeader(references: References, name: string, given: unknown, at: string): ResponseHeader {
  const { node, pointer } = references.follow(given, at);
  const [content] = readContent(references, node, pointer);
  const { schema, schemaPointer } = content ?? schemaUseIn(references, node, pointer);
  const style = isJson(content?.mediaType ?? '') ? 'json' : node.explode === true ? 'exploded' : 'simple';
  const examples = content?.examples ?? examplesIn(references, node);
  return { name, required: node.required === true, style, schema, schemaPointer, examples, pointer, node };
}

function readLink({ operationId, operationRef, parameters }: JsonObject): ResponseLink {
  return {
    operationId: typeof operationId === 'string' ? operationId : undefined,
    operationPointer: typeof operationRef === 'string' ? escapedPointer(pointerOf(operationRef)) : undefined,
    parameters: objectOf(parameters),
  };
}

/** Removes percent encoding from a pointer that comes from a URL. */
const escapedPointer = (pointer: string): string =>
  pointerTokens(pointer)
    .map((token) => `/${escapePointer(token)}`)
    .join('');

/** Returns the schema of a media type, parameter or header. @param pointer the JSON Pointer to the node */
export function schemaUseIn(references: References, { schema }: JsonObject, pointer: string): SchemaUse {
  if (!isSchema(schema)) return { schema: true, schemaPointer: undefined };
  const target = followReferences(schema, references.resolve, `${pointer}/schema`, isPureReference);
  return { schema, schemaPointer: target.pointer };
}

/** Returns the examples of a media type or parameter, or else those of its schema. */
export function examplesIn(references: References, node: JsonObject): NamedExample[] {
  const named = entriesOf(node.examples).map(([name, each]) => ({
    name,
    value: references.follow(each).node.value,
  }));
  const own = 'example' in node ? [{ name: 'example', value: node.example }] : [];
  const { schema } = node;
  const ofSchema =
    isObject(schema) && named.length + own.length === 0
      ? listOf(schema.examples).map((value, index) => ({ name: `schema ${index}`, value }))
      : [];
  return [...named, ...own, ...ofSchema];
}
