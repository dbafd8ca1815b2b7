import { InputLimitError } from '../../lib/input-limit.ts';
import { wordingOf } from '../../lib/wording.ts';
import { type Found, missingValue, readContent, readEach, withDefaults } from './finish-value.ts';
import { cookieSource } from './pairs-source.ts';
import type { ParameterPlan } from './parameter-plan.ts';
import { decodeCookie } from './percent-decode.ts';
import { readValue } from './read-value.ts';
import type { Reading } from './reading.ts';
import { addEntry, maxPairs } from './source.ts';

/** Reads the documented cookies of a request. @param header the `Cookie` header */
export function readCookies(
  parameters: readonly ParameterPlan[],
  header: string,
  found: Found,
): Record<string, unknown> {
  const sent = parameters.length > 0 ? splitCookies(header) : new Map<string, string[]>();
  return readEach('cookie', parameters, found, (parameter) => readCookie(parameter, sent, found.reading));
}

/** Returns the texts of each cookie, not decoded. */
function splitCookies(header: string): Map<string, string[]> {
  const pairs = header.split(';', maxPairs + 1);
  if (pairs.length > maxPairs) throw new InputLimitError(`The request has more than ${maxPairs} cookies.`);
  const sent = new Map<string, string[]>();
  for (const pair of pairs) {
    const mark = pair.indexOf('=');
    const name = (mark < 0 ? pair : pair.slice(0, mark)).trim();
    const value = mark < 0 ? '' : pair.slice(mark + 1).trim();
    // Double quotes around a value are not a part of it (RFC 6265, section 4.1.1).
    if (name !== '') addEntry(sent, name, value.replace(/^"(.*)"$/, '$1'));
  }
  return sent;
}

function readCookie(
  parameter: ParameterPlan,
  sent: ReadonlyMap<string, string[]>,
  reading: Reading,
): unknown {
  const texts = sent.get(parameter.name) ?? [];
  const names = Object.keys(parameter.names?.declared ?? {});
  const entries = new Map(
    names.flatMap((name) => {
      const own = sent.get(name);
      return own ? [[name, own] as const] : [];
    }),
  );
  if (texts.length === 0 && entries.size === 0) return missingValue(parameter, reading);
  if (parameter.content !== undefined)
    return readContent(parameter, decodeCookie(texts.at(-1) ?? ''), reading);
  const source = cookieSource(parameter, texts, entries.size > 0 ? entries : undefined);
  const value = readValue(parameter.shape, source, reading);
  if (value === undefined) reading.problem ??= wordingOf('pairs');
  return withDefaults(parameter, value);
}
