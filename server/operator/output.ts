/** What a command has to say: as text for people, as JSON for programs. */
export interface Output {
  text: string;
  json: unknown;
}

/** Columns as wide as what is in them; the last one may be of any length. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '–' : printable(String(cell)))),
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

/** Names may hold what would move the cursor, forge a line or turn it round. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** JSON for a terminal and for programs alike: what JSON lets stand as it is, and a terminal obeys, is escaped. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** To the minute, in UTC. */
export const minute = (moment: number | null): string | null =>
  moment === null ? null : new Date(moment).toISOString().slice(0, 16).replace('T', ' ');
