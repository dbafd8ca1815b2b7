import type { ValidatedInput } from '../../../server/contract/exchange.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { normalizeText } from '../../../server/lib/normalize-text.ts';
import type { MockContract } from './mock-contract.ts';
import type { ExampleFacts } from './personalize.ts';

/**
 * Returns the body that fits a request, from all valid examples of a response: the one with the IDs in the path of the request,
 * or the items of lists that contain all words of a search.
 * @returns undefined if the usual example fits as well
 */
export function matchingExample(
  bodies: MockContract['bodies'],
  { ids, search, variants = [] }: ExampleFacts,
  { path, query }: Pick<ValidatedInput, 'path' | 'query'>,
): unknown {
  const values = variants.flatMap((index) => {
    const found = bodies[index];
    return found && 'body' in found ? [found.body] : [];
  });
  const searched = search === undefined ? undefined : query[search];
  if (typeof searched === 'string') {
    const words = folded(searched).split(/\s+/);
    // Examples can have items in common.
    const items = new Map(values.flat().map((item) => [JSON.stringify(item), item]));
    return [...items.values()].filter((item) => {
      const text = folded(textsIn(item).join(' '));
      return words.every((word) => text.includes(word));
    });
  }
  const requested = Object.entries(ids).filter(([, name]) => Object.hasOwn(path, name));
  if (requested.length === 0) return undefined;
  return values.find(
    (body) => isObject(body) && requested.every(([property, name]) => body[property] === path[name]),
  );
}

/** Removes case and accents. */
const folded = (text: string): string =>
  normalizeText(text.toLowerCase(), 'NFKD')
    .replace(/\p{M}+/gu, '')
    .trim();

/** Returns all texts in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
