import { type Selectable, type SqlBool, sql } from 'kysely';
import { type Cursor, isAfter, type ListFilter, type SpannedTable, spanMs } from '../creation-spans.ts';
import { engineOf } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import type { EntityTable } from './rows.ts';

/* Lists of a company's rows, in order of ID. */

/** The tables whose deleted rows stay, with a time in `deleted_at` (D39). */
type ListedTable = {
  [Name in EntityTable]: Schema[Name] extends { deleted_at: unknown } ? Name : never;
}[EntityTable];

export interface ListPage extends ListFilter, Cursor {
  limit: number;
  offset: number;
}

const isSpanned = (table: ListedTable): table is SpannedTable =>
  table === 'contacts' || table === 'conversations';

function filtered(
  db: Database,
  table: ListedTable,
  { companyId, includeAnonymous = true, from, to }: ListFilter,
) {
  let query = db
    .selectFrom<ListedTable>(table)
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
  // A literal, because the partial index cannot be used with a parameter.
  if (table === 'contacts' && !includeAnonymous) query = query.where(sql<SqlBool>`is_anonymous = 0`);
  if (from !== undefined) query = query.where(sql<SqlBool>`created_at >= ${from}`);
  if (to !== undefined) query = query.where(sql<SqlBool>`created_at < ${to}`);
  return query;
}

/** Counts the rows of a list. */
export async function countRows(db: Database, table: ListedTable, filter: ListFilter): Promise<number> {
  const { count } = await filtered(db, table, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Reads the rows of a page. */
export async function pageRows<Name extends ListedTable>(
  db: Database,
  table: Name,
  page: ListPage,
): Promise<Selectable<Schema[Name]>[]> {
  const ids = isSpanned(table) ? await idsOfPage(db, table, page) : pageQuery(db, table, page);
  if ('length' in ids && ids.length === 0) return [];
  const rows = await db
    .selectFrom<ListedTable>(table)
    .selectAll()
    .where('company_id', '=', page.companyId)
    .where('id', 'in', ids)
    .orderBy('id', page.order)
    .execute();
  // The type of a row depends on the name of its table, which Kysely's types cannot follow.
  return rows as never;
}

/** Returns a query for the IDs of a page, in order of ID. */
export const pageQuery = (db: Database, table: ListedTable, page: ListPage) =>
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
  const createdAt = sql<number>`created_at`;
  const row = await rows.select(createdAt.as('at')).orderBy(createdAt, order).limit(1).executeTakeFirst();
  return row?.at;
}
