import { AsyncLocalStorage } from 'node:async_hooks';
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
