import { readFile } from 'node:fs/promises';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { ContractConfig } from '../config.ts';

/** Markdown by name: a table, or another part of a document that follows from code or from the contract. */
export type DocumentTables = Readonly<Record<string, string>>;

const marked = /(<!-- table: (\S+) -->\n).*?(<!-- end of table -->\n)/gs;

/**
 * Writes tables into Markdown: each between a line `<!-- table: NAME -->` and a line `<!-- end of table -->`.
 * @throws Error if there is no such table, or a table does not end
 */
export function fillTables(text: string, tables: DocumentTables): string {
  const filled = text.replaceAll(marked, (_all, begin: string, name: string, end: string) => {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (table === undefined)
      throw new Error(`There is no table ${name}. Tables: ${Object.keys(tables).join(', ')}.`);
    return `${begin}${table}\n${end}`;
  });
  if (filled.split('<!-- table: ').length !== filled.split('<!-- end of table -->').length)
    throw new Error('A table has no end. End it with the line: <!-- end of table -->');
  return filled;
}

/**
 * Returns the documents whose tables are stale, with their new text, by path.
 * @param document the bundled contract
 * @throws Error if a document cannot be read, or its tables are wrong
 */
export async function staleDocuments(
  { tables }: Pick<ContractConfig, 'tables'>,
  document: OpenApiDocument,
): Promise<Record<string, string>> {
  if (!tables) return {};
  const known = await tables.load(document);
  const stale: Record<string, string> = {};
  for (const file of tables.files) {
    const text = await readFile(file, 'utf8');
    const filled = withFile(file, () => fillTables(text, known));
    if (filled !== text) stale[file] = filled;
  }
  return stale;
}

function withFile(file: string, fill: () => string): string {
  try {
    return fill();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Returns a table in Markdown. */
export const markdownTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
