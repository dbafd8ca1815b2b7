import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { createProgress, type Progress } from './progress.ts';

/** Replaces characters that move the cursor, forge a line or reverse text, line breaks included. */
export const replaceControlCharacters = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** Serializes a value as JSON, and escapes characters that terminals interpret. Parsing it returns the same value. */
export const escapeControlCharactersInJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** Replaces control characters in a text, except line feeds. */
export const printableLines = (text: string): string =>
  text.split('\n').map(replaceControlCharacters).join('\n');

/** The only way for commands to print, so that no control character of untrusted text reaches the terminal. */
export interface Terminal {
  /** Prints lines. Escape untrusted parts first, because they could contain line breaks. */
  print(text: string): void;
  printJson(value: unknown, indent?: number): void;
  /** Prints lines after a red cross. */
  printFailure(text: string): void;
  /** @param quiet whether to print only permanent lines */
  progress(quiet: boolean): Progress;
}

export function createTerminal(stream: Writable & { isTTY?: boolean }): Terminal {
  const write = (text: string) => void stream.write(`${text}\n`);
  return {
    print: (text) => write(printableLines(text)),
    printJson: (value, indent) => write(escapeControlCharactersInJson(value, indent)),
    printFailure: (text) => write(`${styleText('red', '✘', { stream })} ${printableLines(text)}`),
    progress: (quiet) => {
      const progress = createProgress(stream, quiet);
      return {
        ...progress,
        show: (text) => progress.show(replaceControlCharacters(text)),
        say: (text) => progress.say(printableLines(text)),
      };
    },
  };
}
