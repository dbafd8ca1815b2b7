import { text as textOf } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { parseInteger, UsageError } from './action.ts';
import { cliIo } from './cli-io.ts';

/**
 * Returns the payload, which is read from standard input if the argument is `-`. This is for long text, and for text
 * that must not be visible in the process list, as arguments are.
 */
export const readPayload = async (given: string): Promise<string> =>
  given === '-' ? (await textOf(cliIo().stdin)).replace(/\r?\n$/, '') : given;

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
