import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../server/lib/json-text.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import { followReferences, percentDecode, resolvePointer } from '../../lib/json-pointer.ts';
import { dataKeywords, mapKeywords, schemaKeywords, valueKeywords } from './keywords.ts';

/** Returns the JSON Pointer of a reference. @throws Error if it does not lead to a part of the document */
export function pointerOf(reference: string): string {
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
export function targetOf(document: object, pointer: string): string {
  const resolve = (reference: string) => schemaAt(document, pointerOf(reference));
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

const valueAt = (document: object, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => {
      const name = unescapePointer(step);
      if (Array.isArray(node)) return node[Number(name)];
      return isObject(node) ? ownOf(node, name) : undefined;
    }, document);
