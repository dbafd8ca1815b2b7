import type { Problem } from '../errors.ts';
import { momentOf } from './timestamp.ts';

/** A range that ends before it begins can only be a mistake (D18). */
export function checkDateRange({ query }: { query: Record<string, unknown> }): Problem[] {
  const { date_from: from, date_to: to } = query;
  if (typeof from !== 'string' || typeof to !== 'string' || momentOf(from) <= momentOf(to)) return [];
  return [
    { field: 'query/date_from', message: 'is after date_to' },
    { field: 'query/date_to', message: 'is before date_from' },
  ];
}

/** The range as moments; an end that is not given is open. */
export const rangeOf = (query: {
  date_from?: string | undefined;
  date_to?: string | undefined;
}): { from: number | undefined; to: number | undefined } => ({
  from: query.date_from === undefined ? undefined : momentOf(query.date_from),
  to: query.date_to === undefined ? undefined : momentOf(query.date_to),
});
