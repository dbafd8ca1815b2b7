import { unescapePointer } from '../../../server/lib/json-text.ts';
import { isObject } from './schema.ts';

/** Splits a JSON Pointer (RFC 6901) into unescaped tokens. The pointer may be a percent-encoded URL fragment. */
export const pointerTokens = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => unescapePointer(percentDecode(step)));

/** Returns the value at a JSON Pointer; undefined if there is no such value. */
export const resolvePointer = (root: unknown, pointer: string): unknown =>
  pointerTokens(pointer).reduce<unknown>((node, step) => {
    if (Array.isArray(node)) return node[Number(step)];
    return isObject(node) && Object.hasOwn(node, step) ? node[step] : undefined;
  }, root);

// Maximum number of references to follow, because circular references never end.
const maxSteps = 50;

/** Returns a node, or the target of its references; undefined if a reference cannot be resolved. */
export function dereference(document: unknown, given: unknown): unknown {
  let node = given;
  for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < maxSteps; steps += 1)
    node = node.$ref.startsWith('#') ? resolvePointer(document, node.$ref.slice(1)) : undefined;
  return node;
}

/** Decodes percent-encoded text. Returns malformed text unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
