import type { ContractParameter, RequestParts } from '../operation.ts';

type Query = RequestParts['query'];

/**
 * Prepares the names with brackets in a query for express-openapi-validator, which splits them:
 * - Documented names such as `filter[]` stay as they are. It looks for them in `query._openapi`, which it never sets, and
 *   remembers them by the path.
 * - Others, such as `filter[since]`, it parses again, so they are percent-encoded again.
 * @returns a copy of the query, in which `_openapi` is not enumerable
 */
export function prepareBrackets(query: Query, parameters: readonly ContractParameter[]): Query {
  if (!Object.keys(query).some((name) => name.includes('['))) return query;
  const literal = parameters.filter(({ in: location, name }) => location === 'query' && name.includes('['));
  const path = literal.map(({ name }) => name).join(' ');
  const isLiteral = (name: string) => literal.some((parameter) => parameter.name === name);
  const prepared = Object.entries(query).map(([name, value]) =>
    name.includes('[') && !isLiteral(name)
      ? [encodedInside(name), encodeURIComponent(String(value))]
      : [name, value],
  );
  return Object.defineProperty(Object.fromEntries(prepared), '_openapi', {
    value: { schema: { path, parameters: literal } },
  });
}

/** Percent-encodes the texts between the brackets of a name. */
const encodedInside = (name: string): string =>
  name.replaceAll(/\[[^\]]*\]/g, (part) => `[${encodeURIComponent(part.slice(1, -1))}]`);
