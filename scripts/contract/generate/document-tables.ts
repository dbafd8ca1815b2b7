import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../../server/lib/error-message.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { ContractConfig } from '../config.ts';

/** Tables of documents that follow from code or from the contract: Markdown by name. */
export type DocumentTables = Readonly<Record<string, string>>;

const begin = /^<!-- table: (\S+) -->$/;
const end = '<!-- end of table -->';

/**
 * Writes tables into Markdown: each between a line `<!-- table: NAME -->` and a line `<!-- end of table -->`. If an
 * empty line follows the first one, the table is only in the portal, and needs no end.
 * @throws Error if there is no such table, or a table does not end
 */
export function fillTables(text: string, tables: DocumentTables): string {
  const lines: string[] = [];
  let isInside = false;
  const all = text.split('\n');
  for (const [at, line] of all.entries()) {
    const name = begin.exec(line.trim())?.[1];
    const isEnd = line.trim() === end;
    if (isInside ? name !== undefined : isEnd)
      throw new Error(`A table begins or ends twice. End each one with the line: ${end}`);
    if (!isInside || isEnd) lines.push(line);
    if (isEnd) isInside = false;
    if (name === undefined) continue;
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (table === undefined)
      throw new Error(`There is no table ${name}. Tables: ${Object.keys(tables).join(', ')}.`);
    lines.push(table);
    isInside = all[at + 1] !== '';
  }
  if (isInside) throw new Error(`The last table has no end. End it with the line: ${end}`);
  return lines.join('\n');
}

/**
 * Returns the stale documents, with their new text, by path.
 * @param document the bundled contract
 * @throws Error if a document cannot be read, or its tables are wrong
 */
export async function staleDocuments(
  { tables }: Pick<ContractConfig, 'tables'>,
  document: OpenApiDocument,
): Promise<Record<string, string>> {
  const known = (await tables?.load(document)) ?? {};
  const stale: Record<string, string> = {};
  for (const file of tables?.files ?? []) {
    // Git for Windows writes CRLF by default.
    const text = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n');
    const filled = withFile(file, () => fillTables(text, known));
    if (filled !== text) stale[file] = filled;
  }
  return stale;
}

function withFile<Result>(file: string, fill: () => Result): Result {
  try {
    return fill();
  } catch (error) {
    throw new Error(`${file}: ${errorMessage(error)}`, { cause: error });
  }
}

/** Returns a text as code in Markdown. */
export const code = (text: string): string => `\`${text}\``;

/** Returns a table in Markdown. */
export const markdownTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
