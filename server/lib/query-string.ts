/**
 * Parses a query, or a form (`application/x-www-form-urlencoded`). Invalid percent-encoding stays as it is.
 * @returns the decoded values by name, as own properties; lists for names that occur several times
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  // URLSearchParams would drop a leading question mark, and ignores empty parameters.
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(values);
}
