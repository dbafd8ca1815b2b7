import { relative } from 'node:path';
import { parseYaml as parse } from '@redocly/openapi-core';
import { parseDocument } from 'yaml';
import { errorMessage } from '../../../server/lib/error-message.ts';

/** Maximum number of characters of a line that an excerpt shows, because JSON can be one long line. */
const maxWidth = 100;

/**
 * Parses YAML or JSON as Redocly does. Other parsers read merge keys (`<<`) differently.
 * @param file path for messages
 * @throws Error with file, line, column, reason and an excerpt
 */
export function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw yamlError(file, text, error);
  }
}

/**
 * Returns an error with file, line, column, reason and an excerpt whose caret shows the place.
 * @param error the error of Redocly's parser, whose message ends with the place
 */
export function yamlError(file: string, text: string, error: unknown): Error {
  const [message = ''] = errorMessage(error).split('\n');
  const found = /^(.*?)(?: in ".*")? \((\d+):(\d+)\)$/.exec(message);
  // The parser does not say where a second document begins.
  const [{ linePos: [{ line = 1, col = 1 } = {}] = [] } = {}] = found
    ? []
    : parseDocument(text, { uniqueKeys: false }).errors;
  const [, reason = message, at = line, column = col] = found ?? [];
  const place = `${relative('.', file)}:${at}:${column}`;
  return new Error(
    `${place} The file is not valid YAML or JSON: ${reason}.\n${excerpt(text, Number(at), Number(column))}\n  → Correct this line, or the one before it.`,
    { cause: error },
  );
}

/** Shows a line with the line before it, and a caret below the column. */
function excerpt(text: string, line: number, column: number): string {
  const lines = text.split('\n');
  const start = Math.max(0, column - 1 - maxWidth / 2);
  const width = String(line).length;
  const shown = [line - 1, line]
    .filter((number) => number > 0)
    .map((number) => {
      const part = (lines[number - 1] ?? '').slice(start, start + maxWidth).replaceAll('\t', ' ');
      return `  ${String(number).padStart(width)} | ${part}`.trimEnd();
    });
  return [...shown, `  ${' '.repeat(width)} | ${' '.repeat(column - 1 - start)}^`].join('\n');
}
