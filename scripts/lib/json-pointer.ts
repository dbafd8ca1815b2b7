import { isObject, type JsonObject } from '../../server/lib/json-object.ts';
import { unescapePointer } from '../../server/lib/json-text.ts';
import { ownOf } from '../../server/lib/own-property.ts';

/** Splits a JSON Pointer (RFC 6901) into unescaped tokens. The pointer may be a percent-encoded URL fragment. */
export const pointerTokens = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => unescapePointer(percentDecode(step)));

const stepInto = (node: unknown, step: string): unknown => {
  if (Array.isArray(node)) return node[Number(step)];
  return isObject(node) ? ownOf(node, step) : undefined;
};

/** Returns the value at a JSON Pointer, which may be percent-encoded; undefined if there is no such value. */
export const resolvePointer = (root: unknown, pointer: string): unknown =>
  pointerTokens(pointer).reduce(stepInto, root);

/** Like `resolvePointer`, without percent-decoding: `/a%20b` is the property `a%20b`. */
export const valueAt = (root: unknown, pointer: string): unknown =>
  pointer.split('/').slice(1).map(unescapePointer).reduce(stepInto, root);

/** Returns the JSON Pointer of a reference, which follows a URI and `#`. */
export const pointerOf = (reference: string): string => reference.slice(reference.indexOf('#') + 1);

/**
 * Returns the target of a reference.
 * @param reference such as `#/components/schemas/Book`
 * @throws Error if it is an anchor, or its target does not exist
 */
export function resolveReference(document: unknown, reference: string): unknown {
  const pointer = pointerOf(reference);
  if (pointer !== '' && !pointer.startsWith('/'))
    throw new Error(`The reference ${reference} is an anchor, which is not supported.`);
  const found = resolvePointer(document, pointer);
  if (found === undefined) throw new Error(`The reference ${reference} does not exist.`);
  return found;
}

/** The target of a chain of references. */
export interface Followed {
  node: unknown;
  /** JSON Pointer to the target; the given one if there is no reference. */
  pointer: string;
  /** The properties next to the references, of which the outer ones take precedence. */
  siblings: JsonObject;
}

/** Whether to continue with the target of a reference. */
type IsFollowed = (node: JsonObject) => boolean;

/** Maximum number of references to follow, because circular references never end. */
export const maxSteps = 50;

/**
 * Follows a reference, or a chain of references. Other nodes are returned unchanged.
 * @param resolve returns the target of a reference
 * @param pointer the JSON Pointer to the node
 */
export function followReferences(
  given: unknown,
  resolve: (reference: string) => unknown,
  pointer = '',
  isFollowed: IsFollowed = () => true,
): Followed {
  let found: Followed = { node: given, pointer, siblings: {} };
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const { node, siblings: outer } = found;
    if (!isObject(node) || typeof node.$ref !== 'string' || !isFollowed(node)) return found;
    const { $ref, ...siblings } = node;
    found = { node: resolve($ref), pointer: pointerOf($ref), siblings: { ...siblings, ...outer } };
  }
  return found;
}

/** Whether a schema consists of a reference only, so that it means the same as its target. */
export const isPureReference = (node: JsonObject): boolean => Object.keys(node).length === 1;

/** Returns the references in a node, each once. */
export function referencesIn(node: unknown): string[] {
  const found = new Set<string>();
  JSON.stringify(node, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') found.add(value);
    return value;
  });
  return [...found];
}

/** Returns the target of a reference; undefined if it is not in the document. */
export const targetOf = (document: unknown, reference: string): unknown =>
  reference.startsWith('#') ? resolvePointer(document, pointerOf(reference)) : undefined;

/** Returns a node, or the target of its references; undefined if a reference cannot be resolved. */
export const dereference = (document: unknown, given: unknown): unknown =>
  followReferences(given, (reference) => targetOf(document, reference)).node;

/** Decodes percent-encoded text. Returns malformed text unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
