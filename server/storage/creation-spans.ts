import { type RawBuilder, sql } from 'kysely';
import { engineOf } from './engines.ts';
import type { Database } from './store.ts';

/*
 * What was made within some time is listed by id, and no index has both orders. So time is cut into spans: within
 * each of them an index has the ids in their order, and the first few of every span, put in order together, are the
 * first few of all.
 */

/** About three days, in milliseconds; written into the indexes, and never changed. */
export const spanMs = 2 ** 28;

export type Spanned = 'contacts' | 'conversations';

/** What was made from a moment on, up to another one, which is not among them; in milliseconds. */
export interface MadeWithin {
  table: Spanned;
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

// Ten years. What is spread over more is looked for along the ids: then there is some of it nearly everywhere.
const mostSpans = 1_200;

/**
 * The ids of a page of what was made within some time.
 * @returns undefined where that is spread over too many spans
 */
export async function findMadeWithin(
  db: Database,
  within: MadeWithin,
  { order, limit, offset }: { order: 'asc' | 'desc'; limit: number; offset: number },
): Promise<number[] | undefined> {
  const earliest = await endOf(db, within, 'asc');
  const latest = await endOf(db, within, 'desc');
  if (earliest === undefined || latest === undefined) return [];
  // As both engines divide: towards zero.
  const [first, last] = [Math.trunc(earliest / spanMs), Math.trunc(latest / spanMs)];
  if (last - first >= mostSpans) return undefined;
  const wanted = limit + offset;
  const ids = await engineOf(db).firstOfSpans(db, within, { first, last, order, wanted });
  return ids.slice(offset);
}

/** When the first or the last of it was made. */
async function endOf(
  db: Database,
  { table, companyId, from, to }: MadeWithin,
  order: 'asc' | 'desc',
): Promise<number | undefined> {
  let query = db
    .selectFrom(table)
    .select('created_at')
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', order)
    .limit(1);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return (await query.executeTakeFirst())?.created_at;
}

/** Which rows of a span are meant. @param span a number, or where it is found */
export const isMadeWithin = (
  { table, companyId, from, to, includeAnonymous }: MadeWithin,
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
