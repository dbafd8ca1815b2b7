import { InputLimitError } from './input-limit.ts';

/** Maximum number of parameters of a query, and of values of a form. */
export const maxPairs = 5_000;

/**
 * Parses a query, or a form (`application/x-www-form-urlencoded`). Invalid percent-encoding stays as it is.
 * @param what `query` or `form`, for the error
 * @returns the decoded values by name, as own properties; lists for names that occur several times
 * @throws InputLimitError if it has too many parameters
 */
export function parseQuery(text: string, what = 'query'): Record<string, string | string[]> {
  if (text.split('&', maxPairs + 1).length > maxPairs)
    throw new InputLimitError(`The ${what} has more than ${maxPairs} parameters.`);
  const values = new Map<string, string | string[]>();
  // URLSearchParams would drop a leading question mark, and ignores empty parameters.
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, value);
    else if (typeof known === 'string') values.set(name, [known, value]);
    else known.push(value);
  }
  return Object.fromEntries(values);
}
