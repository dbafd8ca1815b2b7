import type { ContractParameter, RequestParts } from '../operation.ts';

/**
 * Makes express-openapi-validator read documented names such as `filter[]` as they are, instead of splitting them at
 * their brackets. It looks for the documented parameters in `query._openapi`, which it never sets, and remembers their
 * names by the path.
 * @returns a copy of the query with this property, which is not enumerable
 */
export function withBracketNames(
  query: RequestParts['query'],
  parameters: readonly ContractParameter[],
): RequestParts['query'] {
  const literal = parameters.filter(({ in: place, name }) => place === 'query' && name.includes('['));
  if (literal.length === 0) return query;
  const path = literal.map(({ name }) => name).join(' ');
  return Object.defineProperty({ ...query }, '_openapi', {
    value: { schema: { path, parameters: literal } },
  });
}
