import { type RawBuilder, sql } from 'kysely';
import type { Database } from './store.ts';

/*
 * Rows of a time range are listed in order of ID, but no index is sorted by both time and ID. So time is divided into
 * spans. An index sorts the IDs within each span, and merging the first rows of all spans gives the first rows of the
 * range.
 */

/** Length of a span in milliseconds, about three days. The indexes contain this number, so it must not change. */
export const spanMs = 2 ** 28;

export type SpannedTable = 'contacts' | 'conversations';

/** Selects rows of a company that are not deleted. */
export interface ListFilter {
  companyId: number;
  /** Contacts: whether to include those without a name (default: true). */
  includeAnonymous?: boolean;
  /** The time of creation, up to but not including `to`, in milliseconds since 1970. Only for tables with creation spans. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Selects the rows of a filter after a cursor. */
export interface CreatedRange extends ListFilter, Cursor {
  table: SpannedTable;
}

/** Selects the rows after an ID, in ascending or descending order of ID. */
export interface Cursor {
  order: 'asc' | 'desc';
  /** Undefined to start at the beginning. */
  after?: number | undefined;
}

/** The cursor before the first row. */
export const startOf = (order: Cursor['order']): number => (order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER);

/** Returns the SQL condition for the rows after a cursor. */
export const isAfter = ({ order, after = startOf(order) }: Cursor): RawBuilder<boolean> =>
  sql<boolean>`id ${sql.raw(order === 'asc' ? '>' : '<')} ${after}`;

export interface SpanPage {
  /** The numbers of the first and the last span. */
  first: number;
  last: number;
  /** Maximum number of rows to return. */
  wanted: number;
}

/** Returns the SQL condition for the rows of a range in one span. @param span the span's number, or an expression */
const isCreatedWithin = (
  { table, companyId, from, to, includeAnonymous = true, ...cursor }: CreatedRange,
  span: RawBuilder<unknown> | number,
): RawBuilder<boolean> => {
  const conditions = [
    sql`company_id = ${companyId}`,
    // `spanMs` must be a literal, as in the index. With a parameter, the expression would not match the index.
    sql`created_at / ${sql.lit(spanMs)} = ${span}`,
    sql`deleted_at is null`,
    isAfter(cursor),
  ];
  if (table === 'contacts' && !includeAnonymous) conditions.push(sql`is_anonymous = 0`);
  // The plus sign keeps SQLite from choosing another index, which is sorted by timestamp and not by ID.
  if (from !== undefined) conditions.push(sql`+created_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`+created_at < ${to}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
};

/** Returns the IDs of the first rows of a time range, in order, with one query. */
export async function firstOfSpansInPostgres(
  db: Database,
  within: CreatedRange,
  { first, last, wanted }: SpanPage,
): Promise<number[]> {
  const by = sql.raw(within.order);
  const { rows } = await sql<{ id: number }>`select made.id
    from generate_series(${first}::bigint, ${last}::bigint) as s(span)
    cross join lateral (
      select id from ${sql.table(within.table)} where ${isCreatedWithin(within, sql`s.span`)}
      order by id ${by} limit ${wanted}
    ) made
    order by made.id ${by} limit ${wanted}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the IDs of the first rows of a time range, in order, with one index lookup per span. */
export async function firstOfSpansInSqlite(
  db: Database,
  within: CreatedRange,
  { first, last, wanted }: SpanPage,
): Promise<number[]> {
  const direction = within.order === 'asc' ? 1 : -1;
  let ids: number[] = [];
  for (let span = first; span <= last; span += 1) {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(within.table)}
      where ${isCreatedWithin(within, span)} order by id ${sql.raw(within.order)} limit ${wanted}`.execute(
      db,
    );
    ids.push(...rows.map(({ id }) => id));
    ids = ids.sort((one, other) => direction * (one - other)).slice(0, wanted);
  }
  return ids;
}
