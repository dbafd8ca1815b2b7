import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { commandIo } from './command-io.ts';

/** Resolves a path from the folder in which the user called npm, because `npm --prefix` runs commands in another one. */
export const pathOfCaller = (path: string): string => resolve(commandIo().env.INIT_CWD ?? '.', path);

/** Parses the URL of a program on this machine, without its query. */
export function localUrl(text: string): string {
  if (URL.parse(text)?.protocol === 'http:') return text.replace(/\?.*$/, '');
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:3000/webhooks.');
}

/** Collects the values of an option that can be repeated. */
export const repeated = (value: string, others: readonly string[] = []): string[] => [...others, value];

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer of up to nine digits.');
}

/** Parses a timestamp as milliseconds since 1970. */
export function timestamp(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError('It must be a timestamp such as 2026-03-09T12:00:00Z.');
}

/**
 * Creates a parser of positive integers for command-line options. The parser throws InvalidArgumentError.
 * @param most the largest allowed integer
 */
export const integerUpTo =
  (most: number) =>
  (text: string): number => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be an integer from 1 to ${most}.`);
  };
