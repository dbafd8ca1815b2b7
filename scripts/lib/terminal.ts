import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';
import { errorMessage } from '../../server/lib/error-message.ts';
import { createProgress, type Progress } from '../../server/lib/progress.ts';
import {
  escapeControlCharactersInJson,
  printableLines,
  replaceControlCharacters,
} from '../../server/lib/terminal.ts';
import { commandIo, type OutputStream } from './command-io.ts';

// The functions of this file are the only way for commands to print. Texts of documents, responses and files can contain
// control characters, which would change what a terminal shows, and workflow commands, which CI systems run.

/** Stands for the escape character in the styles of this file. Other texts cannot contain it, because it is random. */
const styleMark = `<${randomUUID()}>`;

/** Formats text in a style. Without a terminal, or if NO_COLOR is set, there is no style. */
export const styled = (
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: OutputStream = commandIo().stdout,
): string => styleText(style, replaceControlCharacters(text), { stream }).replaceAll('\u001b', styleMark);

/** Begins a command of GitHub, Azure or TeamCity anywhere in a line: `##[`, `##vso[`. */
const commandStart = /##(?=\w*\[)/g;

/** Separates the characters that begin a command of a CI system, also `::` at the beginning of a line. */
const withoutCommands = (text: string): string =>
  text.replaceAll(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll(commandStart, '# #');

const printable = (text: string): string =>
  withoutCommands(printableLines(text)).replaceAll(styleMark, '\u001b');

type Target = 'output' | 'error';

const write = (text: string, to: Target): void =>
  void (to === 'output' ? commandIo().stdout : commandIo().stderr).write(`${text}\n`);

/** Writes line breaks as spaces, so that a text of a document stays in its line. */
export const singleLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

/** Indents all lines but the first, so that a line break in an untrusted text cannot imitate another line. */
const indented = (text: string): string => text.replaceAll(/\n(?=[^ \n])/g, '\n  ');

/** Prints lines to standard output or, for failures, to standard error. Put untrusted parts into single lines first. */
export const printLines = (text: string, to: Target = 'output'): void => write(printable(text), to);

/** Prints a line. If it contains line breaks, the further lines are indented. */
export const printLine = (text: string, to: Target = 'output'): void => printLines(indented(text), to);

/** Prints a value as JSON, which contains no control characters. */
export const printJson = (value: unknown, indent?: number, to: Target = 'output'): void =>
  write(escapeControlCharactersInJson(value, indent).replaceAll(commandStart, '#\\u0023'), to);

/** Formats a success for standard output. */
export const successLine = (text: string): string => `${styled('green', '✔')} ${indented(text)}`;
/** Formats a failure for standard error. */
export const failureLine = (text: string): string =>
  `${styled('red', '✘', commandIo().stderr)} ${indented(text)}`;

/** Shows progress on standard error. @param quiet whether to print only permanent lines */
export function terminalProgress(quiet: boolean): Progress {
  const progress = createProgress(commandIo().stderr, quiet);
  return {
    ...progress,
    show: (text) => progress.show(printable(singleLine(text))),
    say: (text) => progress.say(printable(indented(text))),
  };
}

/** Reports why a command could not do its work. @param json prints JSON on standard output */
export function reportFailure(error: unknown, json: boolean): void {
  const message = errorMessage(error);
  if (json) printJson({ error: message });
  else printLine(failureLine(message), 'error');
}
