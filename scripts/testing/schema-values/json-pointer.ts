import { isObject } from './schema.ts';

/** The parts of a JSON Pointer (RFC 6901), also where it is written as the fragment of an address. */
export const pointerTokens = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => percentDecode(step).replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a JSON Pointer leads to; undefined where nothing is. */
export const resolvePointer = (root: unknown, pointer: string): unknown =>
  pointerTokens(pointer).reduce<unknown>((node, step) => {
    if (Array.isArray(node)) return node[Number(step)];
    return isObject(node) && Object.hasOwn(node, step) ? node[step] : undefined;
  }, root);

// A reference that leads in a circle leads nowhere.
const maxSteps = 50;

/** What is meant in a document: a node itself, or what its references to other places of the document lead to. */
export function dereference(document: unknown, given: unknown): unknown {
  let node = given;
  for (let steps = 0; isObject(node) && typeof node.$ref === 'string' && steps < maxSteps; steps += 1)
    node = node.$ref.startsWith('#') ? resolvePointer(document, node.$ref.slice(1)) : undefined;
  return node;
}

/** Percent-encoding undone, where it is well-formed. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
