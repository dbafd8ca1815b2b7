import { text as textOf } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDate, isDateTime } from '../lib/formats.ts';
import { parseTimestamp } from '../lib/parse-timestamp.ts';
import { cliIo, UsageError } from './context.ts';

/**
 * Returns the payload, which is read from standard input if the argument is `-`. This is for long text, and for text
 * that must not be visible in the process list, as arguments are.
 */
export const readPayload = async (given: string): Promise<string> =>
  given === '-' ? (await textOf(cliIo().stdin)).replace(/\r?\n$/, '') : given;

/** Adds the option that limits a list to a company. */
export const ofCompany = (command: Command): Command =>
  command.option('--company <id>', 'only those of this company', parseInteger(1));

/** The options that select a range of time. */
export interface TimeRange {
  from?: number;
  to?: number;
}

/** Adds the options that select a range of time. @param what the objects in it: `events` */
export const withTimeRange = (command: Command, what: string): Command =>
  command
    .option('--from <timestamp>', `only ${what} at or after this time`, parseTimestampOption)
    .option('--to <timestamp>', `only ${what} before this time`, parseTimestampOption);

/** The options that set or remove a rate limit. */
export interface LimitOptions {
  perMinute?: number;
  default?: true;
}

/** Adds the options that set or remove a rate limit. */
export const withLimitOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--per-minute <requests>', 'requests per minute and token, in each API process')
        .argParser(parseInteger(1, 1_000_000))
        .conflicts('default'),
    )
    .option('--default', 'remove the limit, so that the next more general one applies');

/** Returns the limit that the options set; null to remove it. @throws UsageError if they do neither */
export function limitOf({ perMinute, default: isDefault }: LimitOptions): number | null {
  if (perMinute !== undefined) return perMinute;
  if (isDefault) return null;
  throw new UsageError('Pass --per-minute or --default.');
}

/**
 * Returns the one of several alternatives that is given.
 * @param given values by the name of their option
 * @throws UsageError if none or several of the values are given
 */
export function requireOne<Value>(given: Readonly<Record<string, Value | undefined>>): Value {
  const [one, ...others] = Object.values(given).filter((value) => value !== undefined);
  if (one !== undefined && others.length === 0) return one;
  throw new UsageError(`Give exactly one of these: ${Object.keys(given).join(', ')}. See --help.`);
}

/** Parses `yes` as 1 and `no` as 0. */
export function parseBoolean(text: string): 0 | 1 {
  if (text === 'yes') return 1;
  if (text === 'no') return 0;
  throw new InvalidArgumentError('It must be yes or no.');
}

/** Parses a path, which must not be empty. */
export function parsePath(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must be a path.');
}

/** Creates a parser for IDs and other integers in a range. */
export const parseInteger =
  (low: number, high: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text);
    if (/^(0|[1-9]\d*)$/.test(text) && number >= low && number <= high) return number;
    throw new InvalidArgumentError(`It must be an integer from ${low} to ${high}.`);
  };

/** Parses a timestamp to milliseconds since 1970. A date without a time means midnight UTC. */
function parseTimestampOption(text: string): number {
  const dateTime = isDate(text) ? `${text}T00:00:00Z` : text;
  if (isDateTime(dateTime)) return parseTimestamp(dateTime);
  throw new InvalidArgumentError(
    'It must be a date or a timestamp, such as 2026-03-02 or 2026-03-02T09:15:00Z.',
  );
}

/** Parses a name. Its length is counted in code points, as in the contract. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && Array.from(name).length <= 255) return name;
  throw new InvalidArgumentError('It must be 1 to 255 characters long.');
}
