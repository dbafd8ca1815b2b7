import type { FieldError } from '../lib/field-error.ts';
import { parseTimestamp } from '../lib/parse-timestamp.ts';

/**
 * Returns the `Link` header of a page (RFC 8288): links to the first, previous and next page, relative to this service
 * (D20).
 * @param query all parameters of the list request; the links keep all of them except `page` and `after`
 * @param last the ID of the last entry of this page, after which the next page continues; undefined on the last page
 */
function pageLinks(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> & { page: number },
  last: number | undefined,
): string {
  const link = (page: number, relation: string, after?: number) => {
    const given = Object.entries({ ...query, page, after }).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `<${path}?${parameters}>; rel="${relation}"`;
  };
  return [
    link(0, 'first'),
    ...(query.page > 0 ? [link(query.page - 1, 'prev')] : []),
    ...(last === undefined ? [] : [link(query.page + 1, 'next', last)]),
  ].join(', ');
}

/** Whether a `Prefer` header requests the total. If a preference occurs twice, the first one counts (RFC 7240). */
export function prefersTotalCount(header: string | undefined): boolean {
  // Only the first 1,000 characters are read, because longer lists of preferences are unrealistic.
  const preferences = (header ?? '').slice(0, 1_000).match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
  const counts = preferences
    .map((preference) => /^\s*count\s*=\s*(?:"([^"]*)"|([^\s;"]*))\s*(?:;.*)?$/is.exec(preference))
    .filter((match) => match !== null);
  return (counts[0]?.[1] ?? counts[0]?.[2]) === 'exact';
}

/**
 * Returns the rows that a page of a list shows, and its headers: its links, and the total if it was requested (D20).
 * @param rows up to one more row than the page shows, which tells that there is a next page
 */
export function pageOf<Row>(
  path: string,
  query: Parameters<typeof pageLinks>[1] & { per_page: number },
  rows: readonly Row[],
  { idOf, total }: { idOf: (row: Row) => number; total: number | undefined },
) {
  const shown = rows.slice(0, query.per_page);
  const final = shown.at(-1);
  const last = rows.length > query.per_page && final !== undefined ? idOf(final) : undefined;
  const counted =
    total === undefined ? {} : { 'X-Total-Count': total, 'Preference-Applied': 'count=exact' as const };
  return { shown, headers: { Link: pageLinks(path, query, last), ...counted } };
}

/** Returns the rows to skip: with `after`, the list continues there, and `page` only numbers the pages (D20). */
export const windowOf = ({
  page,
  per_page,
  after,
}: {
  page: number;
  per_page: number;
  after?: number | undefined;
}) => ({
  after,
  limit: per_page + 1,
  offset: after === undefined ? page * per_page : 0,
});

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
