import { isObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';

/** How deep a client may wrap the body that it received. */
const maxWrapping = 4;

/**
 * Compares what a client returned with the body that it received. The client may wrap the body, add properties, change
 * the case of names, leave out nulls, and convert points in time.
 * @param value what the client returned, as JSON
 * @param expected the body
 * @param usual the body without the scenario. Where it differs, the client may map the value to one of its own, but not
 * to the usual one
 * @returns the first difference, or undefined
 */
export function differenceIn(value: unknown, expected: unknown, usual: unknown): string | undefined {
  const differences = candidatesIn(value, maxWrapping).map((each) => difference(each, expected, usual, ''));
  return differences.includes(undefined) ? undefined : bestOf(differences);
}

/** Returns the difference that is deepest inside of the body: it comes from the candidate that fits best. */
const bestOf = (differences: readonly (string | undefined)[]): string | undefined =>
  differences.toSorted((a, b) => depthOf(b) - depthOf(a))[0];

const depthOf = (text: string | undefined): number => (text?.match(/^\/\S*/)?.[0] ?? '').split('/').length;

/**
 * Compares what a client returned for a list of several pages with all items of the list.
 * @returns the difference, or undefined
 */
export function missingItemsIn(value: unknown, items: readonly unknown[]): string | undefined {
  const lists = candidatesIn(value, maxWrapping).filter((each) => Array.isArray(each));
  const missing = lists.map((list) =>
    items.filter((item) => !list.some((each) => difference(each, item, item, '') === undefined)),
  );
  const least = missing.toSorted((a, b) => a.length - b.length)[0] ?? items;
  return least.length === 0 ? undefined : `${least.length} of ${items.length} items are missing`;
}

/** Returns a value and what it contains, down to some depth. Items of lists are not bodies. */
const candidatesIn = (value: unknown, depth: number): unknown[] => [
  value,
  ...(isObject(value) && depth > 0
    ? Object.values(value).flatMap((each) => candidatesIn(each, depth - 1))
    : []),
];

function difference(value: unknown, expected: unknown, usual: unknown, location: string): string | undefined {
  const wrong = () => `${location || '/'} is ${shown(value)} instead of ${shown(expected)}`;
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length)
      return Array.isArray(value)
        ? `${location || '/'} has ${value.length} items instead of ${expected.length}`
        : wrong();
    return firstOf(expected, (each, index) =>
      difference(value[index], each, Array.isArray(usual) ? usual[index] : undefined, `${location}/${index}`),
    );
  }
  if (isObject(expected)) {
    if (!isObject(value)) return wrong();
    const byName = new Map(Object.entries(value).map(([name, each]) => [plain(name), each]));
    return firstOf(Object.entries(expected), ([name, each]) =>
      difference(
        byName.get(plain(name)),
        each,
        isObject(usual) ? ownOf(usual, name) : undefined,
        `${location}/${name}`,
      ),
    );
  }
  if (isSame(value, expected)) return undefined;
  const isChanged = usual !== undefined && !isSame(expected, usual);
  // A client may have a value of its own for what it does not know.
  if (isChanged && typeof expected === typeof usual && value !== undefined && !isSame(value, usual))
    return undefined;
  return wrong();
}

const firstOf = <Value>(
  values: readonly Value[],
  find: (value: Value, index: number) => string | undefined,
): string | undefined =>
  values
    .values()
    .map(find)
    .find((found) => found !== undefined);

/** Names are compared without case and separators: `first_name` and `firstName` are the same one. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

const timestamp = /^\d{4}-\d\d-\d\d[Tt]/;

function isSame(value: unknown, expected: unknown): boolean {
  if (value === expected) return true;
  if (expected === null) return value === undefined;
  if (typeof expected !== 'string' || !timestamp.test(expected)) return false;
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time === Date.parse(expected);
}

const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? 'missing';
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
};
