import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import { tables } from '../../../generated/tables.ts';
import { lockTokensExclusive } from '../locks.ts';
import { type OwnedTable, ownedFacts, ownedTables } from '../schema.ts';
import type { Database } from '../store.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import { batchSize } from './erasure.ts';

/* All data of a company, deleted rows included, for export and erasure. */

/** Lists the next batch of contacts after an ID, with their values. */
export async function listAllContacts(
  db: Database,
  companyId: number,
  after: number,
): Promise<ContactWithValues[]> {
  const page = db
    .selectFrom('contacts')
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize);
  return contactsIn(await withValues(db, page).execute());
}

const { first = [], others = [] } = Object.groupBy(ownedTables, (name) =>
  ownedFacts(name).isErasedFirst ? 'first' : 'others',
);

/**
 * The tables of a company in the order in which they are erased: tokens first, so that no request adds data, then deliveries,
 * so that no more are sent, then children before parents.
 */
export const tablesToErase: readonly OwnedTable[] = [...first, ...others.toReversed()];

/** Deletes a batch of a company's rows, except claimed deliveries. @returns their number, which is less than `batchSize` in the last batch */
export async function eraseBatch(db: Database, companyId: number, table: OwnedTable): Promise<number> {
  if (table === 'tokens') await lockTokensExclusive(db, companyId);
  if (table === 'contacts')
    // The triggers of SQLite's search index run on updates but not on deletes, so an update removes the entries first.
    await sql`update contacts set search_text = null where company_id = ${companyId} and id in (
      select id from contacts where company_id = ${companyId} order by id limit ${sql.lit(batchSize)})`.execute(
      db,
    );
  const { key: columns } = tables[table];
  const key = sql.join(columns.map((name) => sql.ref(name)));
  const isFree = table === 'deliveries' ? sql`and leased_by is null` : sql``;
  const { numAffectedRows = 0n } = await sql<SqlBool>`delete from ${sql.table(table)}
    where company_id = ${companyId} ${isFree} and (${key}) in (
      select ${key} from ${sql.table(table)} where company_id = ${companyId} ${isFree}
      order by ${key} limit ${sql.lit(batchSize)})`.execute(db);
  return Number(numAffectedRows);
}
