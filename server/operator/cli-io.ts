import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { Terminal } from '../lib/terminal.ts';

/** What a command reads and writes beside the database; how it went is told by `exitCode`. */
export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Terminal;
  stderr: Terminal;
  exitCode: number;
}

const current = new AsyncLocalStorage<CliIo>();

/** The surroundings of the command that runs; Commander itself hands nothing through to a command's action. */
export function cliIo(): CliIo {
  const found = current.getStore();
  if (!found) throw new Error('A command runs by runCli only.');
  return found;
}

export const within = <T>(given: CliIo, work: () => Promise<T>): Promise<T> => current.run(given, work);
