/** Maximum number of values in a body for which all errors are reported, not only the first one. */
const maxValues = 2_000;

/** Maximum length of all property names in such a body, in characters. */
const maxNames = 20_000;

/**
 * Whether only the first error of a value is reported. Each error has its location: 1,900 errors below a name of 500 KB
 * would take gigabytes of memory.
 */
export function exceedsErrorLimits(body: unknown): boolean {
  const rest: unknown[] = [body];
  let [values, names] = [0, 0];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    values += 1;
    if (typeof next === 'object' && next !== null && !(next instanceof Uint8Array)) {
      const inner = Array.isArray(next) ? next : Object.values(next);
      if (values + rest.length + inner.length > maxValues) return true;
      if (!Array.isArray(next)) for (const name of Object.keys(next)) names += name.length;
      if (names > maxNames) return true;
      for (const each of inner) rest.push(each);
    }
  }
  return values > maxValues;
}

/**
 * Only the first error is reported for bodies that are nested more deeply than this. To list all errors, a validator tries
 * every branch of a recursive `oneOf` down to the end, which doubles the time with each level: 0.2 s for 20 levels of two
 * branches, 441 bytes.
 */
export const maxDepthForAllErrors = 10;

/** Whether arrays and objects in a JSON value are nested more than `most` levels deep. It calls itself as often at most. */
export function isNestedDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  if (most === 0) return true;
  // Creates no lists, which a search level by level would need.
  for (const each of Array.isArray(value) ? value : Object.values(value))
    if (typeof each === 'object' && isNestedDeeperThan(each, most - 1)) return true;
  return false;
}
