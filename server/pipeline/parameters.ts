import type { FieldError } from '../lib/field-error.ts';
import { PipelineError } from './errors.ts';
import type { RequestHead } from './exchange.ts';
import { countFieldLines } from './field-lines.ts';
import {
  type ContractOperation,
  type ContractParameter,
  isPlainParameter,
  type ParameterGroup,
  type ParameterGroups,
} from './operation.ts';

// Headers that are defined as lists may span several lines (RFC 9110, section 5.3). X-Request-Id is never rejected
// (D27).
const repeatableHeaders = new Set(['prefer', 'if-match', 'x-request-id']);

/** Groups the parameters of an operation by location. */
export function groupParameters(parameters: readonly ContractParameter[]): ParameterGroups {
  const placeOf = (name: ParameterGroup['name']): ParameterGroup => {
    const here = parameters.filter((parameter) => parameter.in === name);
    return {
      name,
      known: new Map(here.map((parameter) => [parameter.name, parameter])),
      composed: here.filter((parameter) => !isPlainParameter(parameter)),
    };
  };
  return {
    query: placeOf('query'),
    path: placeOf('path'),
    headers: parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => ({
        name,
        key: name.toLowerCase(),
        mayRepeat: repeatableHeaders.has(name.toLowerCase()),
      })),
    cookies: new Set(parameters.filter((each) => each.in === 'cookie').map(({ name }) => name)),
  };
}

/** Returns the documented headers of a request, by name in lower case. */
export function pickHeaders(
  { parameterGroups }: ContractOperation,
  { headers }: RequestHead,
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const { key } of parameterGroups.headers) {
    const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

/** Reports documented headers that are repeated (D15). @param picked the documented headers of the request */
export function duplicateHeaders(
  { parameterGroups }: ContractOperation,
  req: RequestHead,
  picked: Record<string, unknown>,
): FieldError[] {
  return parameterGroups.headers
    .filter(({ key, mayRepeat }) => !mayRepeat && Object.hasOwn(picked, key) && countFieldLines(req, key) > 1)
    .map(({ name }) => ({ field: `header/${name}`, message: 'is repeated' }));
}

/** Returns the documented cookies of a request, decoded as cookie-parser does. The last one of a name counts. */
export function parseCookies(
  { parameterGroups }: ContractOperation,
  { headers }: RequestHead,
): Record<string, unknown> {
  if (parameterGroups.cookies.size === 0) return {};
  const given = new Map<string, string>();
  for (const pair of (headers.cookie ?? '').split(';')) {
    const mark = pair.indexOf('=');
    const name = (mark < 0 ? pair : pair.slice(0, mark)).trim();
    if (parameterGroups.cookies.has(name)) given.set(name, mark < 0 ? '' : pair.slice(mark + 1).trimEnd());
  }
  return Object.fromEntries(Array.from(given, ([name, value]) => [name, decodeCookie(value)]));
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Removes query or path parameters that schemas cannot validate: unknown, repeated or empty parameters, and numbers in
 * notations such as `0x11` (D01, D15).
 * @returns one error per removed parameter
 */
export function removeUnparsableParameters(
  location: ParameterGroup,
  given: Record<string, unknown>,
): FieldError[] {
  const problems: FieldError[] = [];
  for (const name of Object.keys(given)) {
    const message = parameterError(name, given, location);
    if (message === undefined) continue;
    delete given[name];
    problems.push({ field: `${location.name}/${name}`, message });
  }
  return problems;
}

function parameterError(
  name: string,
  given: Record<string, unknown>,
  location: ParameterGroup,
): string | undefined {
  const value = given[name];
  const parameter = location.known.get(name);
  if (!parameter) {
    if (location.name !== 'query') return undefined;
    const owners = ownersOf(name, given, location);
    if (owners.length === 0) return 'is not allowed';
    return value === '' &&
      owners.every(({ names, allowEmptyValue }) => names !== 'brackets' && !allowEmptyValue)
      ? 'is empty'
      : undefined;
  }
  if (parameter.type === undefined || !isPlainParameter(parameter)) return undefined;
  if (Array.isArray(value)) return 'is repeated';
  if (value === '' && !parameter.allowEmptyValue) return 'is empty';
  const spelling = spellings[parameter.type];
  return spelling && !spelling.shape.test(String(value)) ? spelling.message : undefined;
}

/** Returns the parameters, objects or lists, to which a name in a query belongs. */
function ownersOf(
  name: string,
  given: Record<string, unknown>,
  { composed }: ParameterGroup,
): ContractParameter[] {
  // The validator's parser ignores names that all objects inherit, such as `filter[toString]`.
  const inBrackets = Array.from(untilLastBracket(name).matchAll(/\[([^\]]*)\]/g), ([, inner = '']) => inner);
  if (inBrackets.some((inner) => inner in Object.prototype)) return [];
  // An open object does not collect the names of others. See `createCollector`.
  const bracketed = composed.filter((each) => each.names === 'brackets' && name.startsWith(`${each.name}[`));
  if (bracketed.length > 0)
    return bracketed.filter(({ type, name: own }) => bracketsOf(type).test(name.slice(own.length)));
  // An object as JSON under its own name has no other properties.
  const isJson = (own: string) => Object.hasOwn(given, own);
  const closed = composed.flatMap((each) =>
    Array.isArray(each.names) && each.names.includes(name)
      ? [{ each, hasOwnName: each.names.includes(each.name) }]
      : [],
  );
  if (closed.length > 0)
    return closed.filter(({ each, hasOwnName }) => hasOwnName || !isJson(each.name)).map(({ each }) => each);
  return composed.filter(({ names, name: own }) => names === 'any' && !isJson(own));
}

/** Names inside brackets. Those of lists are indexes, of which the validator's parser knows 21, or none: `tags[]`. */
const bracketsOf = (type: string | undefined): RegExp =>
  type === 'array' ? /^(\[(1?\d|20)?\])+$/ : /^\[[^[\]]+\](\[[^[\]]*\])*$/;

/** Cuts off what follows the last `]`: a pattern would search for another one from each `[` on, in quadratic time. */
export const untilLastBracket = (name: string): string => name.slice(0, name.lastIndexOf(']') + 1);

// The validator's coercion would also accept other notations: `0x11`, ` 5`, and `1e1` as an integer.
const spellings: Record<string, { shape: RegExp; message: string }> = {
  integer: { shape: /^(-?[1-9]\d*|0)$/, message: 'must be integer' },
  number: { shape: /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/, message: 'must be number' },
};

/** Rejects a URL that cannot be decoded, before anything decodes it (D25). @throws PipelineError */
export function assertDecodableUrl(url: string): void {
  if (!url.includes('%') || isDecodable(url)) return;
  throw new PipelineError('malformedRequest', { message: 'The percent-encoding of the URL is invalid.' });
}

function isDecodable(url: string): boolean {
  try {
    // The result is used, because minifiers remove a call whose only purpose is to throw an error.
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}
