import { InputLimitError } from '../../lib/input-limit.ts';
import type { ContractParameter, RequestParts } from '../operation.ts';
import { untilLastBracket } from '../parameters.ts';

type Query = RequestParts['query'];

/** The validator copies an object for each of its names in the query, which takes quadratic time. */
const maxBracketNames = 100;

/**
 * Prepares the names with brackets in a query for express-openapi-validator, which splits them:
 * - Documented names such as `filter[]` stay as they are. It looks for them in `query._openapi`, which it never sets, and
 *   remembers them by the path.
 * - Others, such as `filter[since]`, it parses again, so they are percent-encoded again.
 * @returns a copy of the query, in which `_openapi` is not enumerable
 * @throws InputLimitError if the query has too many of them
 */
export function prepareBrackets(query: Query, parameters: readonly ContractParameter[]): Query {
  const bracketNames = Object.keys(query).filter((name) => name.includes('['));
  if (bracketNames.length === 0) return query;
  if (bracketNames.length > maxBracketNames)
    throw new InputLimitError(`The query has more than ${maxBracketNames} names with brackets.`);
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
function encodedInside(name: string): string {
  const inside = untilLastBracket(name);
  const encoded = inside.replaceAll(/\[[^\]]*\]/g, (part) => `[${encodeURIComponent(part.slice(1, -1))}]`);
  return encoded + name.slice(inside.length);
}
