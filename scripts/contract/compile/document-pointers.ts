import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { followReferences, percentDecode, resolvePointer, valueAt } from '../../lib/json-pointer.ts';

/** Keywords whose values are schemas by name. */
export const mapKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose values are data. */
export const dataKeywords = new Set(['enum', 'const', 'default', 'required', 'dependentRequired', 'type']);
/** Keywords whose values are schemas, or lists of them. */
export const schemaKeywords = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'items', 'prefixItems', 'contains'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords whose values are scalars. */
export const valueKeywords = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', 'contentMediaType', 'contentEncoding'],
]);

/** Returns the JSON Pointer of a reference. @throws Error if it does not lead to a part of the document */
export function decodedPointerOf(reference: string): string {
  if (reference !== '#' && !reference.startsWith('#/'))
    throw new Error(
      `The reference ${reference} is not supported. Write it as #/components/…, and bundle the document first.`,
    );
  return percentDecode(reference.slice(1));
}

/**
 * Follows the references at a JSON Pointer. A reference with keywords beside it is a schema of its own.
 * @throws Error if a target does not exist, or the references are circular
 */
export function targetPointer(document: object, pointer: string): string {
  const resolve = (reference: string) => schemaAt(document, decodedPointerOf(reference));
  const isFollowed = (node: JsonObject) => !Object.keys(node).some(isAssertion);
  const found = followReferences(schemaAt(document, pointer), resolve, pointer, isFollowed);
  const { node } = found;
  if (isObject(node) && typeof node.$ref === 'string' && isFollowed(node))
    throw new Error(`The reference ${node.$ref} is circular.`);
  return found.pointer;
}

const isAssertion = (keyword: string): boolean =>
  keyword !== '$ref' &&
  [mapKeywords, schemaKeywords, dataKeywords, valueKeywords].some((keywords) => keywords.has(keyword));

/** Returns the node at a JSON Pointer. @throws Error if it does not exist */
export function schemaAt(document: object, pointer: string): unknown {
  const found = nodeAt(document, pointer);
  if (found === undefined) throw new Error(`The reference #${pointer} does not exist.`);
  return found;
}

export const hasNode = (document: object, pointer: string): boolean =>
  nodeAt(document, pointer) !== undefined;

/** Names can contain what looks like percent-encoding, and pointers that come from references can be encoded. */
const nodeAt = (document: object, pointer: string): unknown =>
  valueAt(document, pointer) ?? resolvePointer(document, pointer);

/**
 * Returns the JSON Pointers of all parts of a document that contain a node with a mark, or a reference to one that does.
 * @param isMarked whether a node has the mark
 */
export function reachOf(document: object, isMarked: (node: JsonObject) => boolean): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const reached = new Set<string>();
  const read = (node: unknown, around: readonly string[], pointer: string): void => {
    if (Array.isArray(node)) for (const [at, each] of node.entries()) read(each, around, `${pointer}/${at}`);
    if (!isObject(node)) return;
    const inside = [...around, pointer];
    if (isMarked(node)) for (const each of inside) reached.add(each);
    // Data, such as an example, can contain what looks like a reference.
    if (
      typeof node.$ref === 'string' &&
      node.$ref.startsWith('#/') &&
      hasNode(document, decodedPointerOf(node.$ref))
    ) {
      const target = targetPointer(document, decodedPointerOf(node.$ref));
      const known = users.get(target);
      if (known) known.push(...inside);
      else users.set(target, inside);
    }
    for (const [name, each] of Object.entries(node)) read(each, inside, `${pointer}/${escapePointer(name)}`);
  };
  read(document, [], '');
  const rest = [...reached];
  for (let next = rest.pop(); next !== undefined; next = rest.pop())
    for (const user of users.get(next) ?? [])
      if (!reached.has(user)) {
        reached.add(user);
        rest.push(user);
      }
  return reached;
}
