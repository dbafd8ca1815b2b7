import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { hasNode, pointerOf, targetOf } from './document-pointers.ts';

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
      hasNode(document, pointerOf(node.$ref))
    ) {
      const target = targetOf(document, pointerOf(node.$ref));
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
