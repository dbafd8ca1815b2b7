import { styleText } from 'node:util';

/** Prints a line to standard output or, for failures, to standard error. */
export function printLine(text: string, to: 'output' | 'error' = 'output'): void {
  (to === 'output' ? process.stdout : process.stderr).write(`${text}\n`);
}

/** Formats a success for standard output. Without a terminal, or if NO_COLOR is set, there is no color. */
export const successLine = (text: string): string => `${styleText('green', '✔')} ${text}`;
/** Formats a failure for standard error. Without a terminal, or if NO_COLOR is set, there is no color. */
export const failureLine = (text: string): string =>
  `${styleText('red', '✘', { stream: process.stderr })} ${text}`;

/** Quotes a path for a shell. */
export const shellWord = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Reports why a command could not run, and sets exit code 2. @param json prints JSON on standard output */
export function reportFailure(error: unknown, json: boolean | undefined): void {
  const message = error instanceof Error ? error.message : String(error);
  printLine(json ? JSON.stringify({ error: message }) : failureLine(message), json ? 'output' : 'error');
  process.exitCode = 2;
}
