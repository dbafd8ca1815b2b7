import { text as textOf } from 'node:stream/consumers';
import { surroundings } from './cli-io.ts';

/** A long text, or one that other users of the machine should not see in its list of processes. */
export const payloadFrom = async (given: string): Promise<string> =>
  given === '-' ? (await textOf(surroundings().stdin)).replace(/\r?\n$/, '') : given;
