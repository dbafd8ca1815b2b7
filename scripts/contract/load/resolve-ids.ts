import type { JsonObject } from '../../../server/lib/json-object.ts';
import { resolvePointer } from '../../lib/json-pointer.ts';
import { mapsOfNames, visitObjects } from './visit-objects.ts';

/** The URI of a file, which nothing else has. */
const fileUri = 'https://file.invalid/';

/**
 * Replaces references to schemas of the same file by their `$id`, and those that are relative to the `$id` around them, by JSON
 * Pointers into the file (JSON Schema Core, section 8.2.1). References to anything else stay.
 * @param document a parsed file, which is changed in place
 */
export function resolveIds(document: unknown): void {
  /** The schema with an `$id`, by URI; undefined if several have it. */
  const pointers = new Map<string, string | undefined>();
  const references: { node: JsonObject; reference: string; base: string }[] = [];
  const scopes = [{ pointer: '', base: fileUri }];
  visitObjects(document, (node, key, pointer) => {
    if (mapsOfNames.test(key)) return true;
    while (scopes.length > 1 && !`${pointer}/`.startsWith(`${scopes.at(-1)?.pointer}/`)) scopes.pop();
    const { base = fileUri } = scopes.at(-1) ?? {};
    const uri = typeof node.$id === 'string' ? URL.parse(node.$id, base)?.href.replace(/#.*/, '') : undefined;
    if (uri !== undefined) {
      // Redocly would take it for the URL of a file.
      delete node.$id;
      pointers.set(uri, pointers.has(uri) ? undefined : pointer);
      scopes.push({ pointer, base: uri });
    }
    if (typeof node.$ref === 'string') references.push({ node, reference: node.$ref, base: uri ?? base });
    return true;
  });
  if (pointers.size === 0) return;
  for (const { node, reference, base } of references) {
    const [uri = '', fragment = ''] = (URL.parse(reference, base)?.href ?? '').split('#');
    const pointer = pointers.get(uri);
    if (pointer === undefined) continue;
    if (fragment !== '' && !fragment.startsWith('/')) node.$ref = `#${fragment}`;
    else {
      const target = `${encodeURI(pointer.toWellFormed())}${fragment}`;
      // Many documents refer to their components from schemas with an `$id`.
      if (!reference.startsWith('#') || resolvePointer(document, target) !== undefined)
        node.$ref = `#${target}`;
    }
  }
}
