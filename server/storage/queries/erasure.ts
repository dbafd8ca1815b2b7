import { sql } from 'kysely';
import { lockTokensExclusive } from '../locks.ts';
import { type ErasableTable, type OwnedTable, ownedFacts, ownedTables } from '../schema.ts';
import type { Database } from '../store.ts';
import type { BooleanFlag } from '../tables/define-table.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import { deleteBatch, deleteRows, selectRows, updateRows } from './rows.ts';

/* Queries that erase rows in batches. Callers erase children before parents. */

/** Rows per batch. SQLite allows 32,766 parameters in a statement. */
export const batchSize = 1_000;

/** Erases rows. Custom-field values and search-index entries of contacts are erased with them. */
export async function eraseRows(
  db: Database,
  companyId: number,
  table: ErasableTable,
  ids: readonly number[],
): Promise<void> {
  if (table === 'contacts') {
    // The triggers of SQLite's search index run on updates but not on deletes, so an update removes the entry first.
    await updateRows(db, 'contacts', { company_id: companyId, id: ids }, { search_text: null });
    await deleteRows(db, 'field_values', { company_id: companyId, contact_id: ids });
  }
  await deleteRows(db, table, { company_id: companyId, id: ids });
}

/** Times before which data has expired, in milliseconds since 1970. */
export interface ExpiryTimes {
  deleted: number;
  closed: number;
}

/**
 * Lists the next batch of a company's rows after an ID, and whether their retention period has ended: rows that were deleted,
 * and conversations that were closed, before a time. A message that was added or changed later keeps its conversation.
 */
export async function listExpired(
  db: Database,
  companyId: number,
  table: ErasableTable,
  { deleted, closed }: ExpiryTimes,
  { after, limit = batchSize }: { after: number; limit?: number },
): Promise<{ id: number; is_expired: BooleanFlag }[]> {
  const isInactive = sql`is_closed = 1 and updated_at < ${closed} and not exists (select 1 from messages as m
    where m.company_id = conversations.company_id and m.conversation_id = conversations.id and m.updated_at >= ${closed})`;
  const isExpired =
    table === 'conversations' ? sql`deleted_at < ${deleted} or ${isInactive}` : sql`deleted_at < ${deleted}`;
  const { rows } = await sql<{ id: number; is_expired: BooleanFlag }>`
    select id, case when ${isExpired} then 1 else 0 end as is_expired from ${sql.table(table)}
    where company_id = ${companyId} and id > ${after} order by id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

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
  if (table === 'contacts') {
    const rows = await selectRows(db, table, ['id'], { company_id: companyId }, { limit: batchSize });
    const ids = rows.map(({ id }) => id);
    await eraseRows(db, companyId, table, ids);
    return ids.length;
  }
  const isFree = table === 'deliveries' ? { leased_by: null } : {};
  return deleteBatch(db, table, { company_id: companyId, ...isFree }, batchSize);
}
