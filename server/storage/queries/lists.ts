import { type SqlBool, sql } from 'kysely';
import { isAfter, type SpannedTable, startOf } from '../creation-spans.ts';
import type { Database } from '../store.ts';
import { findCreatedBetween } from './created-between.ts';

/* Lists of contacts and conversations. */

/** Selects rows of a company that are not deleted. */
export interface ListFilter {
  companyId: number;
  /** Contacts: whether to include those without a name. */
  includeAnonymous: boolean;
  /** Earliest creation time, in milliseconds since 1970. */
  from: number | undefined;
  /** End of the creation time range (exclusive). */
  to: number | undefined;
}

export interface ListPage extends ListFilter {
  order: 'asc' | 'desc';
  /** The list continues after this ID; undefined to start at its beginning. */
  after?: number | undefined;
  limit: number;
  offset: number;
}

function filtered(db: Database, table: SpannedTable, { companyId, includeAnonymous, from, to }: ListFilter) {
  let query = db
    .selectFrom<SpannedTable>(table)
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
  // A literal, because the partial index cannot be used with a parameter.
  if (table === 'contacts' && !includeAnonymous) query = query.where(sql<SqlBool>`is_anonymous = 0`);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return query;
}

/** Counts the rows of a list. */
export async function countList(db: Database, table: SpannedTable, filter: ListFilter): Promise<number> {
  const { count } = await filtered(db, table, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns a query for the IDs of a page, in order of ID. */
export const pageQuery = (db: Database, table: SpannedTable, page: ListPage) =>
  filtered(db, table, page)
    .select('id')
    .where(isAfter({ after: page.after ?? startOf(page.order), order: page.order }))
    .orderBy('id', page.order)
    .limit(page.limit)
    .offset(page.offset);

/** Returns the IDs of a page, or a query for them. */
export async function idsOfPage(db: Database, table: SpannedTable, page: ListPage) {
  const cursor = { after: page.after ?? startOf(page.order), order: page.order };
  return (await findCreatedBetween(db, { table, ...page, cursor }, page)) ?? pageQuery(db, table, page);
}
