import { type RawBuilder, sql } from 'kysely';

/*
 * What was made within some time is listed by id, and no index has both orders. So time is cut into spans: within
 * each of them an index has the ids in their order, and the first few of every span, put in order together, are the
 * first few of all.
 */

/** About three days, in milliseconds; written into the indexes, and never changed. */
export const spanMs = 2 ** 28;

export type SpannedTable = 'contacts' | 'conversations';

/** What was made from a moment on, up to another one, which is not among them; in milliseconds. */
export interface CreatedRange {
  table: SpannedTable;
  companyId: number;
  from: number | undefined;
  to: number | undefined;
  /** Of contacts: those without a name, too. */
  includeAnonymous: boolean;
}

export interface SpanPage {
  /** The first and the last span that is looked into. */
  first: number;
  last: number;
  order: 'asc' | 'desc';
  /** How many are wanted, from the first one on. */
  wanted: number;
}

/** Which rows of a span are meant. @param span a number, or where it is found */
export const isCreatedWithin = (
  { table, companyId, from, to, includeAnonymous }: CreatedRange,
  span: RawBuilder<unknown> | number,
): RawBuilder<boolean> => {
  const conditions = [
    sql`company_id = ${companyId}`,
    // As the index has it: written out rather than bound.
    sql`created_at / ${sql.lit(spanMs)} = ${span}`,
    sql`deleted_at is null`,
  ];
  if (table === 'contacts' && !includeAnonymous) conditions.push(sql`is_anonymous = 0`);
  // The plus keeps them out of the choice of an index: there is one that knows moments, but not the order of ids.
  if (from !== undefined) conditions.push(sql`+created_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`+created_at < ${to}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
};
