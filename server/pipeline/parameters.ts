import type { IncomingMessage } from 'node:http';
import { type Problem, refuse } from '../errors.ts';
import { isPlain, type JudgedOperation, type Parameter } from './contract.ts';

/** The documented headers of a request, by name in lower case. */
export function pickHeaders(
  { parameters }: JudgedOperation,
  { headers }: IncomingMessage,
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const { name, in: place } of parameters) {
    const value = place === 'header' ? headers[name.toLowerCase()] : undefined;
    if (value !== undefined) picked[name.toLowerCase()] = value;
  }
  return picked;
}

// Headers that are lists by their definition, so that several lines mean one (RFC 9110, 5.3).
const lists = new Set(['prefer', 'if-match']);

/** Documented headers that came twice (D15); the name of a request is never refused (D27). */
export function headersTwice({ parameters }: JudgedOperation, req: IncomingMessage): Problem[] {
  return parameters
    .filter(
      ({ name, in: place }) =>
        place === 'header' && !lists.has(name.toLowerCase()) && name !== 'X-Request-Id',
    )
    .filter(({ name }) => (req.headersDistinct[name.toLowerCase()]?.length ?? 0) > 1)
    .map(({ name }) => ({ field: `header/${name}`, message: 'is given twice' }));
}

/** The cookies of a request, where the operation has any. */
export function cookiesOf(
  { parameters }: JudgedOperation,
  { headers }: IncomingMessage,
): Record<string, unknown> {
  if (!parameters.some((parameter) => parameter.in === 'cookie')) return {};
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
export function takeUnreadable(
  { parameters }: JudgedOperation,
  given: Record<string, unknown>,
  place: 'query' | 'path',
): Problem[] {
  const known = parameters.filter((parameter) => parameter.in === place);
  return Object.entries(given).flatMap(([name, value]) => {
    const message = whatIsWrong(name, value, known, place);
    if (message === undefined) return [];
    delete given[name];
    return [{ field: `${place}/${name}`, message }];
  });
}

function whatIsWrong(
  name: string,
  value: unknown,
  known: Parameter[],
  place: 'query' | 'path',
): string | undefined {
  const parameter = known.find((candidate) => candidate.name === name);
  if (!parameter)
    return place === 'query' && !isPartOfComposed(name, known) ? 'is not known here' : undefined;
  if (parameter.type === undefined || !isPlain(parameter)) return undefined;
  if (Array.isArray(value)) return 'is given twice';
  if (value === '' && !parameter.allowEmptyValue) return 'is empty';
  const spelling = spellings[parameter.type];
  return spelling && !spelling.shape.test(String(value)) ? spelling.message : undefined;
}

// `filter[name]=…` and exploded objects: which names belong to them only the class knows.
const isPartOfComposed = (name: string, known: Parameter[]): boolean =>
  known.some(
    (parameter) =>
      !isPlain(parameter) && (parameter.type !== 'array' || name.startsWith(`${parameter.name}[`)),
  );

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
