import { text as textOf } from 'node:stream/consumers';
import { cliIo } from './cli-io.ts';

/**
 * Returns the payload, which is read from standard input if the argument is `-`. This is for long text, and for text
 * that must not be visible in the process list, as arguments are.
 */
export const readPayload = async (given: string): Promise<string> =>
  given === '-' ? (await textOf(cliIo().stdin)).replace(/\r?\n$/, '') : given;
