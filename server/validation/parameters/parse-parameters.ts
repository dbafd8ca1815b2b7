import { countFieldLines } from '../../contract/field-lines.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { ownOf } from '../../lib/own-property.ts';
import { wordingOf } from '../../lib/wording.ts';
import { missingValue, readContent, readEach, withDefaults } from './finish-value.ts';
import type { ParameterPlan, ParametersPlan } from './parameter-plan.ts';
import { headerSource, pathSource } from './path-source.ts';
import { decodePath } from './percent-decode.ts';
import { readCookies } from './read-cookies.ts';
import { readQuery } from './read-query.ts';
import { readScalar } from './read-scalar.ts';
import { readValue } from './read-value.ts';
import { createReading, type Reading } from './reading.ts';

/** The parts of a request that have parameters. */
export interface RawParameters {
  /** The query after the question mark, not decoded. */
  query: string;
  /** The texts that stand in place of the expressions of the path template, not decoded. */
  path: Readonly<Record<string, string>>;
  /** The headers by name in lower case, as Node provides them. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values in turn, as they were sent. */
  rawHeaders: readonly string[];
}

export interface ParsedParameters {
  query: Record<string, unknown>;
  path: Record<string, unknown>;
  /** By name in lower case. */
  headers: Record<string, unknown>;
  cookies: Record<string, unknown>;
  /** The parameters that are missing here because they are not sent as documented. */
  problems: FieldError[];
}

/**
 * Parses the parameters of a request, and fills in defaults. Texts that are not of the documented type stay texts: the
 * schema of each parameter must still validate its value.
 * @param accepts whether the schema at a JSON Pointer accepts a value
 * @throws InputLimitError if there are too many values, or they are nested too deeply
 */
export function parseParameters(
  plan: ParametersPlan,
  raw: RawParameters,
  accepts: (check: string, value: unknown) => boolean,
): ParsedParameters {
  const reading = createReading(accepts);
  const problems: FieldError[] = [];
  const found = { reading, problems };
  return {
    query: readQuery(plan.query, raw.query, found),
    path: readEach('path', plan.path, found, (parameter) => {
      const text = ownOf(raw.path, parameter.name);
      return text === undefined ? missingValue(parameter, reading) : readSegment(parameter, text, reading);
    }),
    headers: readEach('header', plan.headers, found, (parameter) => readHeader(parameter, raw, reading)),
    cookies: readCookies(plan.cookies, textOf(raw.headers.cookie) ?? '', found),
    problems,
  };
}

function readSegment(parameter: ParameterPlan, text: string, reading: Reading): unknown {
  const { shape, style, content } = parameter;
  if (text === '' && style === 'simple') {
    reading.problem = wordingOf('empty');
    return undefined;
  }
  if (content !== undefined) return readContent(parameter, decodePath(text, reading), reading);
  if (shape.kind === 'scalar' && style === 'simple')
    return readScalar(decodePath(text, reading), shape, reading);
  const value = readValue(shape, pathSource(parameter, text, reading), reading);
  if (value === undefined) reading.problem ??= wordingOf('style', { style });
  return withDefaults(parameter, value);
}

function readHeader(
  parameter: ParameterPlan,
  { headers, rawHeaders }: RawParameters,
  reading: Reading,
): unknown {
  const text = textOf(ownOf(headers, parameter.key));
  if (text === undefined) return missingValue(parameter, reading);
  const value = readHeaderText(parameter, text, reading);
  if (!parameter.mayRepeat && countFieldLines(rawHeaders, parameter.key) > 1)
    reading.problem = wordingOf('repeated');
  return value;
}

function readHeaderText(parameter: ParameterPlan, text: string, reading: Reading): unknown {
  const { shape, content, explode } = parameter;
  if (content !== undefined) return readContent(parameter, text, reading);
  if (shape.kind === 'scalar') return readScalar(text, shape, reading);
  const value = readValue(shape, headerSource(explode, text), reading);
  if (value === undefined) reading.problem ??= wordingOf('pairs');
  return withDefaults(parameter, value);
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'object' ? header.join(', ') : header;
