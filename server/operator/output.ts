import { isObject } from '../lib/json-object.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { isTimestampColumn } from '../own-contract/present-row.ts';

/** The result of a command, as text and as JSON. */
export interface Output {
  text: string;
  json: unknown;
}

/**
 * Lists records: all of them as JSON, and some properties as a table.
 * @param shown the names of the properties, separated by spaces
 */
export function listOf(records: readonly object[], shown: string): Output {
  const names = shown.split(' ');
  const rows = records.map((record) => names.map((name) => cellOf(name, Reflect.get(record, name))));
  return { text: formatTable(names.map(wordsOf), rows), json: records };
}

/** Shows a record, one property per line. The properties of objects in it have lines of their own. */
export const recordOf = (record: object): Output => ({
  text: formatTable(
    ['property', 'value'],
    Object.entries(record)
      .flatMap((entry): [string, unknown][] => (isObject(entry[1]) ? Object.entries(entry[1]) : [entry]))
      .map(([name, value]) => [wordsOf(name), cellOf(name, value)]),
  ),
  json: record,
});

const wordsOf = (name: string): string => name.replaceAll('_', ' ');

function cellOf(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Not by the value, because names and responses of receivers can look like timestamps.
  if (typeof value === 'string' && isTimestampColumn(name)) return formatMinute(Date.parse(value));
  if (Array.isArray(value)) return value.join(' ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/** Formats a table whose columns are as wide as their contents. The last column is not padded. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): string {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '–' : replaceControlCharacters(cell))),
  );
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell))
        .join('  '),
    )
    .join('\n');
}

/** Formats numbers of rows. Those of 0 are omitted. */
export const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ') || 'no rows';

/** Formats a timestamp to the minute, in UTC. */
export const formatMinute = (timestamp: number): string =>
  new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ');
