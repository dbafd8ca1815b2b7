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
