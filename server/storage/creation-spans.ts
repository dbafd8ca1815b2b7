import { type RawBuilder, sql } from 'kysely';

/*
 * Rows of a time range are listed by ID, but no index is sorted by both. So time is divided into spans: an index
 * sorts the IDs of each span, and merging the first rows of all spans gives the first rows of the range.
 */

/** About three days, in milliseconds. It is part of the indexes and must not change. */
export const spanMs = 2 ** 28;

export type SpannedTable = 'contacts' | 'conversations';

/** Rows created from a timestamp on, up to another one (exclusive), in milliseconds. */
export interface CreatedRange {
  table: SpannedTable;
  companyId: number;
  from: number | undefined;
  to: number | undefined;
  /** Contacts: whether to include those without a name. */
  includeAnonymous: boolean;
}

export interface SpanPage {
  /** The first and the last span. */
  first: number;
  last: number;
  order: 'asc' | 'desc';
  /** Number of rows. */
  wanted: number;
}

/** Returns the condition for rows of a span. @param span its number, or an expression */
export const isCreatedWithin = (
  { table, companyId, from, to, includeAnonymous }: CreatedRange,
  span: RawBuilder<unknown> | number,
): RawBuilder<boolean> => {
  const conditions = [
    sql`company_id = ${companyId}`,
    // The literal matches the index; a parameter would not.
    sql`created_at / ${sql.lit(spanMs)} = ${span}`,
    sql`deleted_at is null`,
  ];
  if (table === 'contacts' && !includeAnonymous) conditions.push(sql`is_anonymous = 0`);
  // The plus sign keeps SQLite from choosing another index, which is sorted by timestamp and not by ID.
  if (from !== undefined) conditions.push(sql`+created_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`+created_at < ${to}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
};
