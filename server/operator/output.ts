import { replaceControlCharacters } from '../lib/terminal.ts';

/** The result of a command, as text and as JSON. */
export interface Output {
  text: string;
  json: unknown;
}

/** Formats a table whose columns are as wide as their contents. The last column is not padded. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '–' : replaceControlCharacters(String(cell)))),
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

/** Formats a timestamp to the minute, in UTC. */
export const formatMinute = (timestamp: number | null): string | null =>
  timestamp === null ? null : new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ');
