import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { Terminal } from '../lib/terminal.ts';

/** Input and output of a command besides the database. */
export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Terminal;
  stderr: Terminal;
  exitCode: number;
  /** The command that runs: its name, such as `token revoke`, and its options without personal data. */
  command?: { name: string; options: Readonly<Record<string, unknown>> };
}

const current = new AsyncLocalStorage<CliIo>();

/** Returns the input and output of the running command, which Commander cannot pass to actions. */
export function cliIo(): CliIo {
  const found = current.getStore();
  if (!found) throw new Error('Commands run only inside runCli.');
  return found;
}

export const within = <T>(given: CliIo, work: () => Promise<T>): Promise<T> => current.run(given, work);
