import { type SqlBool, sql } from 'kysely';
import { type CreatedRange, type Cursor, isAfter, type SpannedTable, spanMs } from '../creation-spans.ts';
import { engineOf } from '../engine.ts';
import type { Database } from '../store.ts';

/* Lists of contacts and conversations. */

/** Selects rows of a company that are not deleted. */
type ListFilter = Omit<CreatedRange, 'table' | keyof Cursor>;

export interface ListPage extends ListFilter, Cursor {
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
    .where(isAfter(page))
    .orderBy('id', page.order)
    .limit(page.limit)
    .offset(page.offset);

/** Returns the IDs of a page, or a query for them. */
export const idsOfPage = async (db: Database, table: SpannedTable, page: ListPage) =>
  (await findCreatedBetween(db, table, page)) ?? pageQuery(db, table, page);

// Maximum number of rows to read. Above it, rows are scanned in order of ID instead: in a range of many years, such a
// scan soon finds enough rows, and for a distant page it has to skip the rows before the page anyway.
const maxRows = 20_000;

/** Returns the IDs of a page, unless it has no time range, or too many rows would be read. */
async function findCreatedBetween(
  db: Database,
  table: SpannedTable,
  { limit, offset, ...range }: ListPage,
): Promise<number[] | undefined> {
  if (range.from === undefined && range.to === undefined) return undefined;
  const [earliest, latest] = [await endOf(db, table, range, 'asc'), await endOf(db, table, range, 'desc')];
  if (earliest === undefined || latest === undefined) return [];
  // Rounds towards zero, like integer division in both engines.
  const [first, last] = [Math.trunc(earliest / spanMs), Math.trunc(latest / spanMs)];
  const wanted = limit + offset;
  if ((last - first + 1) * wanted > maxRows) return undefined;
  const ids = await engineOf(db).firstOfSpans(db, { table, ...range }, { first, last, wanted });
  return ids.slice(offset);
}

/** Returns the creation time of the first or last row in a range. */
async function endOf(
  db: Database,
  table: SpannedTable,
  range: ListFilter,
  order: 'asc' | 'desc',
): Promise<number | undefined> {
  // No index sorts only the contacts with a name by time.
  const rows = filtered(db, table, { ...range, includeAnonymous: true });
  const row = await rows.select('created_at').orderBy('created_at', order).limit(1).executeTakeFirst();
  return row?.created_at;
}
