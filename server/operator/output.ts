import { escapeControlCharacters } from '../lib/terminal.ts';

/** What a command has to say: as text for people, as JSON for programs. */
export interface Output {
  text: string;
  json: unknown;
}

/** Columns as wide as what is in them; the last one may be of any length. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '–' : escapeControlCharacters(String(cell)))),
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

/** To the minute, in UTC. */
export const formatMinute = (timestamp: number | null): string | null =>
  timestamp === null ? null : new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ');
