import { styleText } from 'node:util';

/** Prints a line, to standard error where it reports a fault. Colours are left out off a terminal and with NO_COLOR. */
export function printLine(text: string, to: 'output' | 'error' = 'output'): void {
  (to === 'output' ? process.stdout : process.stderr).write(`${text}\n`);
}

/** A line that reports success, on standard output. */
export const successLine = (text: string): string => `${styleText('green', '✔')} ${text}`;
/** A line that reports a fault, on standard error. */
export const failureLine = (text: string): string =>
  `${styleText('red', '✘', { stream: process.stderr })} ${text}`;

/** A path as a shell takes it for one word. */
export const shellWord = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Says why nothing could be done, for people on standard error, for programs on standard output. The exit code is 2. */
export function reportFailure(error: unknown, json: boolean | undefined): void {
  const message = error instanceof Error ? error.message : String(error);
  printLine(json ? JSON.stringify({ error: message }) : failureLine(message), json ? 'output' : 'error');
  process.exitCode = 2;
}
