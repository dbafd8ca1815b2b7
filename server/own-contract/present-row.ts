import { formatTimestamp } from './timestamp.ts';

/** Whether the values of a column are timestamps. */
export const isTimestampColumn = (name: string): boolean => /_(at|since|until)$/.test(name);

/** Returns a row for operators and exports: timestamps as text, flags as booleans, without secrets and digests. */
export const presentRow = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => !ArrayBuffer.isView(value) && !name.endsWith('secret'))
      .map(([name, value]: [string, unknown]) => {
        if (typeof value !== 'number') return [name, value];
        if (isTimestampColumn(name)) return [name, formatTimestamp(value)];
        return [name, name.startsWith('is_') ? value === 1 : value];
      }),
  );
