import { text as textOf } from 'node:stream/consumers';
import { cliIo } from './cli-io.ts';

/** A long text, or one that other users of the machine should not see in its list of processes. */
export const readPayload = async (given: string): Promise<string> =>
  given === '-' ? (await textOf(cliIo().stdin)).replace(/\r?\n$/, '') : given;
