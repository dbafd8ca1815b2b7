/**
 * Only the first error is reported for request bodies with more values than this. Ajv copies its list of errors for
 * each error in a referenced schema, and 500,000 errors blocked a process for minutes.
 */
export const maxValuesForAllErrors = 2_000;

/** Whether a JSON value, with all nested values, consists of more than `most` values. Counting stops at that number. */
export function hasMoreValuesThan(value: unknown, most: number): boolean {
  const rest: unknown[] = [value];
  let seen = 0;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    seen += 1;
    if (typeof next === 'object' && next !== null && !(next instanceof Uint8Array)) {
      const inner = Array.isArray(next) ? next : Object.values(next);
      if (seen + rest.length + inner.length > most) return true;
      for (const each of inner) rest.push(each);
    }
  }
  return seen > most;
}

/**
 * Bodies that are nested more deeply are rejected. Validators call themselves for each level of a recursive schema, and
 * the stack was exhausted at about 5,000 levels of a simple one.
 */
export const maxDepth = 100;

/** Whether arrays and objects in a JSON value are nested more than `most` levels deep. It does not use recursion. */
export function isNestedDeeperThan(value: unknown, most: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === most) return true;
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
