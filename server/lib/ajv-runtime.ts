/**
 * Functions that compiled validators call. `scripts/lib/create-ajv.ts` uses them instead of fast-deep-equal, which calls
 * `toString` and `valueOf` of the values, and so fails if a client sends properties with these names.
 */
import { isMultipleOf } from './multiple-of.ts';
import { defineOwn } from './own-property.ts';
import { spend, unitsOfText } from './work-limit.ts';

/** Whether two JSON values are equal. The order of properties does not matter, and undefined properties do not count. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  return keyOf(one) === keyOf(other);
}

/**
 * Finds two equal items of a list. Its time is linear in the size of the list: it compares keys instead of pairs.
 * @returns their indexes, the higher one first; undefined if all items differ
 */
export function findDuplicate(items: readonly unknown[]): { i: number; j: number } | undefined {
  const indexes = new Map<unknown, number>();
  let found: { i: number; j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const key = comparedKey(item);
    const j = indexes.get(key);
    if (j !== undefined) found = { i, j };
    indexes.set(key, i);
  }
  return found;
}

/** Returns what is the same for equal values only, to be looked up in a map or a set. */
export const comparedKey = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? keyOf(value) : scalarKey(value);

/**
 * A string could be the key of an object, so it gets a prefix that no such key has. V8 hashes numbers without a secret, so
 * that 16,000 of a client could have one hash, and each takes the time of all before it. Thus they become strings as well,
 * and their prefix keeps V8 from hashing them as numbers.
 */
const scalarKey = (value: unknown): unknown =>
  typeof value === 'string' ? `"${value}` : typeof value === 'number' ? `#${value}` : value;

/** Returns a text that is the same for equal values only: JSON with sorted names. */
export function keyOf(value: unknown): string {
  // Items count themselves.
  if (Array.isArray(value)) spend(1);
  else spendOn(value);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  const sorted = definedEntries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${keyOf(inner)}`).join()}}`;
}

const definedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, inner]) => inner !== undefined);

/** Returns the number of characters (Unicode code points) of a text, in which `maxLength` is measured. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1)
    if ((text.codePointAt(at) ?? 0) > 0xff_ff) {
      count -= 1;
      at += 1;
    }
  return count;
}

/** Whether an object has a property whose name is longer than `limit` UTF-16 code units. */
const hasLongName = (value: object, limit: number): boolean =>
  Object.keys(value).some((name) => name.length > limit);

/** Counts the work of reading a text, the items of a list, or the properties of an object with their names. */
function spendOn(value: unknown): void {
  if (typeof value === 'string') spend(1 + unitsOfText(value));
  else if (Array.isArray(value)) spend(1 + value.length);
  else spend(typeof value === 'object' && value !== null ? unitsOfNames(value) : 1);
}

/** The units of large objects, which several keywords read: listing 100,000 names takes 20 ms. */
const counted = new WeakMap<object, number>();

function unitsOfNames(value: object): number {
  const known = counted.get(value);
  if (known !== undefined) return known;
  let units = 1;
  for (const name of Object.keys(value)) units += 1 + unitsOfText(name);
  if (units > 1_000) counted.set(value, units);
  return units;
}

/** The functions, as compiled validators call them. */
export const ajvRuntime = {
  ...{ countCharacters, defineOwn, findDuplicate, hasLongName, isEqual, isMultipleOf, keyOf },
  ...{ spend, spendOn },
};
