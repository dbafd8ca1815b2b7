import { InputLimitError } from '../../lib/input-limit.ts';
import { maxDepth } from '../../lib/parse-json.ts';

/** The values of names with brackets, such as `filter[a][b]`. */
export interface BracketTree {
  /** Not decoded. */
  texts: string[];
  /** By decoded name; the name of `[]` is empty. */
  children: Map<string, BracketTree> | undefined;
}

export const createTree = (texts: string[] = []): BracketTree => ({ texts, children: undefined });

/**
 * Returns the names in the brackets of a decoded name; undefined if it has anything else.
 * @param start index of the first bracket
 * @throws InputLimitError if there are too many brackets
 */
export function namesInBrackets(name: string, start: number): string[] | undefined {
  const names: string[] = [];
  for (let at = start; at < name.length; ) {
    const end = name.indexOf(']', at);
    if (name[at] !== '[' || end < 0) return undefined;
    const inner = name.slice(at + 1, end);
    if (inner.includes('[')) return undefined;
    if (names.length === maxDepth)
      throw new InputLimitError(`A name in the query has more than ${maxDepth} brackets.`);
    names.push(inner);
    at = end + 1;
  }
  return names;
}

export function addToTree(tree: BracketTree, names: readonly string[], text: string): void {
  let at = tree;
  for (const name of names) {
    at.children ??= new Map();
    const next = at.children.get(name) ?? createTree();
    at.children.set(name, next);
    at = next;
  }
  at.texts.push(text);
}

/** Whether a name in brackets is that of an item: an index, or nothing. */
export const isItemName = (name: string): boolean => /^(0|[1-9]\d{0,3})?$/.test(name);

/**
 * Returns the items of a list in their order; undefined if the names are not those of items: either indexes from 0 on
 * without a gap, or `[]`.
 */
export function itemsOf({ texts, children }: BracketTree): BracketTree[] | undefined {
  const repeated = texts.map((text) => createTree([text]));
  if (!children) return repeated;
  const unnumbered = children.get('');
  if (unnumbered) {
    if (children.size > 1) return undefined;
    // All names such as `list[][a]` describe one item, because nothing separates several.
    if (unnumbered.children) return [...repeated, unnumbered];
    return [...repeated, ...unnumbered.texts.map((text) => createTree([text]))];
  }
  const numbered = Array.from({ length: children.size }, (_, index) => children.get(String(index)));
  const isComplete = numbered.every((each) => each !== undefined);
  return isComplete && texts.length === 0 ? numbered : undefined;
}
