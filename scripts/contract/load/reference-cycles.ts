import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerTokens } from '../../lib/json-pointer.ts';
import { objectsIn } from './visit-objects.ts';

/** A node of a file that may be a reference. */
interface Place {
  file: string;
  pointer: string;
  node: unknown;
}

/**
 * Finds references that only lead to each other, so that there is nothing at their end.
 * @param files the parsed files of a document, by absolute path
 * @param pathOf returns the path of the file to which a reference leads from a file
 * @returns the places of the references, in their order; empty if there is no such cycle
 */
export function findReferenceCycle(
  files: ReadonlyMap<string, unknown>,
  pathOf: (file: string, reference: string) => string,
): Omit<Place, 'node'>[] {
  const ended = new Set<unknown>();
  for (const [file, root] of files)
    for (const { node: first, pointer } of objectsIn(root)) {
      const chain = new Map<unknown, Place>();
      let at: Place | undefined = { file, pointer, node: first };
      while (at && isObject(at.node) && typeof at.node.$ref === 'string' && !ended.has(at.node)) {
        const { node }: Place = at;
        if (chain.has(node)) {
          const places = [...chain.values()];
          const start = places.findIndex((each) => each.node === node);
          return places.slice(start).map((each) => ({ file: each.file, pointer: each.pointer }));
        }
        chain.set(node, at);
        at = targetOf(files, pathOf, at);
      }
      for (const node of chain.keys()) ended.add(node);
    }
  return [];
}

/** Returns the target of a reference, or a reference on the way to it; undefined if the place is not a reference. */
function targetOf(
  files: ReadonlyMap<string, unknown>,
  pathOf: (file: string, reference: string) => string,
  { file, node }: Place,
): Place | undefined {
  if (!isObject(node) || typeof node.$ref !== 'string') return undefined;
  const [path = '', fragment = ''] = node.$ref.split('#');
  const target = path === '' ? file : pathOf(file, path);
  let here: Place = { file: target, pointer: '', node: files.get(target) };
  for (const step of pointerTokens(fragment)) {
    const inner = Array.isArray(here.node)
      ? here.node[Number(step)]
      : isObject(here.node) && Object.hasOwn(here.node, step)
        ? here.node[step]
        : undefined;
    if (inner === undefined) return isObject(here.node) && '$ref' in here.node ? here : undefined;
    here = { file: target, pointer: `${here.pointer}/${escapePointer(step)}`, node: inner };
  }
  return here;
}
