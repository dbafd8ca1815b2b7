import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { onNpmExit } from '../../server/lib/cli.ts';

/** A stream of the process, or of a test. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number };

/** Environment and streams of a command, and its reactions to signals. */
export interface CommandIo {
  env: Readonly<Record<string, string | undefined>>;
  stdout: OutputStream;
  stderr: OutputStream;
  /** Calls a function when a command that runs until it is stopped has to end. */
  onShutdown(stop: () => void): void;
  /** Calls a function before an interrupted command exits with 130 or 143. */
  onInterrupt(close: () => unknown): void;
}

const processIo: CommandIo = {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  onShutdown(stop) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
    onNpmExit(stop);
  },
  onInterrupt(close) {
    const exit = (code: number) => void Promise.resolve(close()).finally(() => process.exit(code));
    process.once('SIGINT', () => exit(130));
    process.once('SIGTERM', () => exit(143));
    onNpmExit(() => exit(143));
  },
};

const current = new AsyncLocalStorage<CommandIo>();

/** Returns the environment of the running command: that of the process, unless a test has replaced it. */
export const commandIo = (): CommandIo => current.getStore() ?? processIo;

/** Runs a function whose commands get another environment and other streams. */
export const withCommandIo = <T>(io: CommandIo, work: () => Promise<T>): Promise<T> => current.run(io, work);

/**
 * Returns a command as the user started it, for its help and its messages: `npm run mock --` or `parley-contract mock`.
 * @param called how it was called, if not by npm
 */
export const commandName = (called: string): string => {
  const script = commandIo().env.npm_lifecycle_event;
  return script === undefined || script === 'npx' ? called : `npm run ${script} --`;
};

/**
 * Returns the command that generates the files of the project in the working directory. The result does not depend on
 * how the current command was started, because generated files contain it.
 * @param given its arguments
 */
export const generateCommand = (given = ''): string =>
  hasGenerateScript()
    ? `npm run generate${given && ` -- ${given}`}`
    : `parley-contract generate${given && ` ${given}`}`;

function hasGenerateScript(): boolean {
  try {
    const { scripts }: { scripts?: Record<string, string> } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    );
    return scripts?.generate !== undefined;
  } catch {
    return false;
  }
}
