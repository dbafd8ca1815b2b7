import { text as textOf } from 'node:stream/consumers';
import { cliIo } from './cli-io.ts';

/**
 * Reads a payload from standard input for `-`: for long text, and because arguments are visible in the
 * process list.
 */
export const readPayload = async (given: string): Promise<string> =>
  given === '-' ? (await textOf(cliIo().stdin)).replace(/\r?\n$/, '') : given;
