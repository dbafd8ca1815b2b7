import { isJson } from '../../../server/contract/media-type.ts';
import { type JsonObject, listOf } from '../../../server/lib/json-object.ts';
import type { Parameter } from './operation.ts';
import { examplesIn, readContent, schemaUseIn } from './read-content.ts';
import type { References } from './references.ts';

/**
 * Whether OpenAPI ignores header parameters with this name, because media types and security schemes describe them
 * (OpenAPI 3.1, section 4.8.12.1).
 */
export const isIgnoredHeader = (name: string): boolean => /^(accept|content-type|authorization)$/i.test(name);

/**
 * Whether the HTTP server or the pipeline sets this header of a response: it describes the message on the wire. OpenAPI
 * ignores `Content-Type` (section 4.8.17.1).
 */
export const isMessageHeader = (name: string): boolean =>
  /^(connection|content-(encoding|length|type)|date|keep-alive|trailer|transfer-encoding|upgrade)$/i.test(
    name,
  );

/** A parameter that applies to an operation. */
export interface MergedParameter {
  /** As documented, so it may be a reference. */
  given: unknown;
  /** Whether it stands at the path, not at the operation. */
  isCommon: boolean;
  /** JSON Pointer, after following references. */
  pointer: string;
  node: JsonObject;
}

/** An operation and its path item. */
interface OperationAndPath<Part> {
  item: Part;
  node: Part;
}

/**
 * Returns the parameters of an operation: those of its path, and its own, which override a parameter of the path with the
 * same name and location.
 * @param at JSON Pointers to the path item and to the operation
 */
export function mergeParameters(
  references: References,
  { item, node: operation }: OperationAndPath<JsonObject>,
  at: OperationAndPath<string> = { item: '', node: '' },
): MergedParameter[] {
  const parametersIn = (around: JsonObject, within: string, isCommon: boolean): MergedParameter[] =>
    listOf(around.parameters).map((given, index) => {
      const { node, siblings, pointer } = references.follow(given, `${within}/parameters/${index}`);
      return { given, isCommon, pointer, node: { ...node, ...siblings } };
    });
  const all = [...parametersIn(item, at.item, true), ...parametersIn(operation, at.node, false)];
  return [...new Map(all.map((each) => [identityOf(each.node), each])).values()];
}

/** The name of a header is the same in upper and lower case (RFC 9110, section 5.1). */
const identityOf = ({ in: place, name }: JsonObject): string =>
  `${place} ${place === 'header' ? String(name).toLowerCase() : name}`;

export function readParameter(references: References, { node, pointer }: MergedParameter): Parameter {
  const location = node.in;
  if (location !== 'path' && location !== 'query' && location !== 'header' && location !== 'cookie')
    throw new Error(
      `The parameter ${String(node.name)} is in ${String(location)}, which OpenAPI does not know.`,
    );
  const [content] = readContent(references, node, pointer);
  const style =
    typeof node.style === 'string' ? node.style : ['query', 'cookie'].includes(location) ? 'form' : 'simple';
  const { schema, schemaPointer } = content ?? schemaUseIn(references, node, pointer);
  return {
    name: String(node.name),
    in: location,
    required: node.required === true,
    schema,
    schemaPointer,
    style,
    explode: typeof node.explode === 'boolean' ? node.explode : style === 'form',
    mediaType: content && isJson(content.mediaType) ? content.mediaType : undefined,
    examples: examplesIn(references, node),
    pointer,
    node,
  };
}
