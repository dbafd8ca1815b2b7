import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';

/** Keywords whose value is a map: its keys are names, not keywords. */
export const mapsOfNames =
  /^(properties|patternProperties|dependentSchemas|\$defs|schemas|responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks|mediaTypes|content|encoding|variables|mapping|scopes)$/;

/** Keywords whose value is data, not a part of the document. */
export const holdsData = /^(default|enum|const|value|dataValue|example|x-.*)$/;

/**
 * Visits the objects of a document, the outer ones first, but not data.
 * @param visit gets the keyword that has the object, which is `member` in a map of names and empty in a list; returns false
 * to leave out what is inside of the object
 */
export function visitObjects(
  root: unknown,
  visit: (node: JsonObject, key: string, pointer: string) => boolean | undefined,
): void {
  const enter = (node: unknown, key: string, pointer: string): void => {
    if (holdsData.test(key)) return;
    if (Array.isArray(node) && key !== 'examples')
      for (const [at, each] of node.entries()) enter(each, '', `${pointer}/${at}`);
    if (!isObject(node) || visit(node, key, pointer) === false) return;
    const isMap = mapsOfNames.test(key);
    for (const [name, each] of Object.entries(node))
      enter(each, isMap ? 'member' : name, `${pointer}/${escapePointer(name)}`);
  };
  enter(root, '', '');
}

/**
 * Copies a document with other objects. Data stays as it is.
 * @param before gets an object whose keys are keywords, and the keyword that has it, as for `visitObjects`; it returns the object
 * whose parts are copied
 * @param after gets the copy of each object, also of a map of names, after its parts were copied
 */
export function mapObjects(
  root: unknown,
  before: (node: JsonObject, key: string) => JsonObject,
  after: (copy: JsonObject, key: string, pointer: string, node: JsonObject) => JsonObject = (copy) => copy,
): unknown {
  const copyOf = (node: unknown, key: string, pointer: string): unknown => {
    if (holdsData.test(key) || (key === 'examples' && Array.isArray(node))) return node;
    if (Array.isArray(node)) return node.map((each, at) => copyOf(each, '', `${pointer}/${at}`));
    if (!isObject(node)) return node;
    const isMap = mapsOfNames.test(key);
    const copy = Object.entries(isMap ? node : before(node, key)).map(([name, each]) => [
      name,
      copyOf(each, isMap ? 'member' : name, `${pointer}/${escapePointer(name)}`),
    ]);
    return after(Object.fromEntries(copy), key, pointer, node);
  };
  return copyOf(root, '', '');
}

/** Yields each object of a document once, also in data, with its JSON Pointer. */
export function* objectsIn(document: unknown): Generator<{ node: JsonObject; pointer: string }> {
  const left: { node: unknown; pointer: string }[] = [{ node: document, pointer: '' }];
  const seen = new Set<unknown>();
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const { node, pointer } = at;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node)) yield { node, pointer };
    for (const [name, each] of Object.entries(node).reverse())
      left.push({ node: each, pointer: `${pointer}/${escapePointer(name)}` });
  }
}

/**
 * Finds a reference that leads out of a bundled document. Libraries that read the document would follow it to any file or
 * URL, from the working directory, even in an example or a constant.
 */
export function findExternalReference(document: unknown): { pointer: string; reference: string } | undefined {
  for (const { node, pointer } of objectsIn(document))
    if (typeof node.$ref === 'string' && !node.$ref.startsWith('#')) return { pointer, reference: node.$ref };
  return undefined;
}
