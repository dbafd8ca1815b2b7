import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { createProgress, type Progress } from './progress.ts';

/** Replaces what would move the cursor, forge a line or reverse the text, line breaks included. */
export const escapeControlCharacters = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** Writes JSON in which all that a terminal would obey is escaped. It means the same to programs. */
export const escapeControlCharactersInJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** Makes each line of a text printable. */
const printableLines = (text: string): string => text.split('\n').map(escapeControlCharacters).join('\n');

/** The only way for commands to print: no text that they are given reaches a terminal as it is. */
export interface Terminal {
  /** Prints one or more lines. Pass parts that come from outside through `printable`, or they could add lines. */
  print(text: string): void;
  printJson(value: unknown, indent?: number): void;
  /** Prints lines behind a green tick or a red cross. */
  printMarked(mark: '✔' | '✘', text: string): void;
  /** @param quiet shows nothing but lines that stay */
  progress(quiet: boolean): Progress;
}

export function createTerminal(stream: Writable & { isTTY?: boolean }): Terminal {
  const write = (text: string) => void stream.write(`${text}\n`);
  return {
    print: (text) => write(printableLines(text)),
    printJson: (value, indent) => write(escapeControlCharactersInJson(value, indent)),
    printMarked: (mark, text) =>
      write(`${styleText(mark === '✔' ? 'green' : 'red', mark, { stream })} ${printableLines(text)}`),
    progress: (quiet) => {
      const progress = createProgress(stream, quiet);
      return {
        ...progress,
        show: (text) => progress.show(escapeControlCharacters(text)),
        say: (text) => progress.say(printableLines(text)),
      };
    },
  };
}
