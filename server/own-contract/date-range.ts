import type { FieldError } from '../lib/field-error.ts';
import { parseTimestamp } from '../lib/parse-timestamp.ts';

/** Returns errors for a date range that ends before it begins (D18), and no errors for any other query. */
export function checkDateRange({ query }: { query: Record<string, unknown> }): FieldError[] {
  const { date_from: from, date_to: to } = query;
  if (typeof from !== 'string' || typeof to !== 'string' || parseTimestamp(from) <= parseTimestamp(to))
    return [];
  return [
    { field: 'query/date_from', message: 'is after date_to' },
    { field: 'query/date_to', message: 'is before date_from' },
  ];
}

/** Converts a date range to milliseconds since 1970. A missing bound leaves the range open. */
export const parseDateRange = (query: {
  date_from?: string | undefined;
  date_to?: string | undefined;
}): { from: number | undefined; to: number | undefined } => ({
  from: query.date_from === undefined ? undefined : parseTimestamp(query.date_from),
  to: query.date_to === undefined ? undefined : parseTimestamp(query.date_to),
});
