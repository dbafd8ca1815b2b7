import type { IncomingMessage } from 'node:http';
import { type Problem, refuse } from '../errors.ts';
import { linesOf } from './field-lines.ts';
import { isPlain, type Operation, type Parameter, type Place, type Reading } from './operation.ts';

// Headers that are lists by their definition, so that several lines mean one (RFC 9110, 5.3). The name of a request is
// never refused (D27).
const mayComeTwice = new Set(['prefer', 'if-match', 'x-request-id']);

/** What is known of an operation's parameters before any request. */
export function readingOf(parameters: readonly Parameter[]): Reading {
  const placeOf = (name: Place['name']): Place => {
    const here = parameters.filter((parameter) => parameter.in === name);
    return {
      name,
      known: new Map(here.map((parameter) => [parameter.name, parameter])),
      composed: here.filter((parameter) => !isPlain(parameter)),
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
        mayRepeat: mayComeTwice.has(name.toLowerCase()),
      })),
    hasCookies: parameters.some((parameter) => parameter.in === 'cookie'),
  };
}

/** The documented headers of a request, by name in lower case. */
export function pickHeaders({ reading }: Operation, { headers }: IncomingMessage): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const { key } of reading.headers) {
    const value = headers[key];
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

/** Documented headers that came twice (D15). @param picked those that came */
export function headersTwice(
  { reading }: Operation,
  req: IncomingMessage,
  picked: Record<string, unknown>,
): Problem[] {
  return reading.headers
    .filter(({ key, mayRepeat }) => !mayRepeat && key in picked && linesOf(req, key) > 1)
    .map(({ name }) => ({ field: `header/${name}`, message: 'is given twice' }));
}

/** The cookies of a request, where the operation has any. */
export function cookiesOf({ reading }: Operation, { headers }: IncomingMessage): Record<string, unknown> {
  if (!reading.hasCookies) return {};
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return Object.fromEntries(
    pairs.filter(([name]) => name).map(([name, ...value]) => [name, value.join('=')]),
  );
}

/**
 * Takes out parameters that no schema could judge: unknown, given twice, empty, or numbers in another
 * spelling (D01, D15).
 * @returns what was wrong with each
 */
export function takeUnreadable(place: Place, given: Record<string, unknown>): Problem[] {
  const problems: Problem[] = [];
  for (const name of Object.keys(given)) {
    const message = whatIsWrong(name, given[name], place);
    if (message === undefined) continue;
    delete given[name];
    problems.push({ field: `${place.name}/${name}`, message });
  }
  return problems;
}

function whatIsWrong(name: string, value: unknown, place: Place): string | undefined {
  const parameter = place.known.get(name);
  if (!parameter)
    return place.name === 'query' && !isPartOfComposed(name, place) ? 'is not known here' : undefined;
  if (parameter.type === undefined || !isPlain(parameter)) return undefined;
  if (Array.isArray(value)) return 'is given twice';
  if (value === '' && !parameter.allowEmptyValue) return 'is empty';
  const spelling = spellings[parameter.type];
  return spelling && !spelling.shape.test(String(value)) ? spelling.message : undefined;
}

// `filter[name]=…` and exploded objects: which names belong to them only the class knows.
const isPartOfComposed = (name: string, { composed }: Place): boolean =>
  composed.some(({ type, name: ofParameter }) => type !== 'array' || name.startsWith(`${ofParameter}[`));

// The validator's own coercion reads `0x11`, `1e1` and ` 5` as numbers.
const spellings: Record<string, { shape: RegExp; message: string }> = {
  integer: { shape: /^(-?[1-9]\d*|0)$/, message: 'must be integer' },
  number: { shape: /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/, message: 'must be number' },
};

/** Refuses what cannot be decoded before anything tries to (D25). */
export function refuseMalformedUrl(url: string): void {
  if (!url.includes('%')) return;
  try {
    decodeURIComponent(url);
  } catch {
    refuse('malformed', { message: 'The percent-encoding of the address is not well-formed.' });
  }
}
