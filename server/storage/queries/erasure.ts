import type { ErasableTable } from '../schema.ts';
import type { Database } from '../store.ts';
import type { BooleanFlag } from '../tables/define-table.ts';
import { deleteRows, updateRows } from './rows.ts';

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

/** Lists the next batch of a company's idempotency keys after a key, with the headers of their stored responses. */
export function listStoredResponses(
  db: Database,
  companyId: number,
  after: string,
): Promise<{ key: string; headers: string }[]> {
  return db
    .selectFrom('idempotency_keys')
    .select(['key', 'headers'])
    .where('company_id', '=', companyId)
    .where('key', '>', after)
    .orderBy('key')
    .limit(batchSize)
    .execute();
}

/** A row, with the timestamps that decide whether its retention period has ended. */
export interface Aging {
  id: number;
  deleted_at: number | null;
  updated_at: number;
  /** Conversations only. */
  is_closed?: BooleanFlag;
}

/** Lists the next batch of a company's rows after an ID, with their timestamps. */
export function listAging(
  db: Database,
  companyId: number,
  table: ErasableTable,
  after: number,
): Promise<Aging[]> {
  const rows = db
    .selectFrom(table)
    .select(['id', 'deleted_at', 'updated_at'])
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize);
  return (table === 'conversations' ? rows.select('is_closed' as never) : rows).execute();
}

/** Returns when a message of a conversation was last added or changed; 0 if the conversation has no messages. */
export async function lastMessageChangeAt(
  db: Database,
  companyId: number,
  conversationId: number,
): Promise<number> {
  const { last } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.max('updated_at').as('last'))
    .where('company_id', '=', companyId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}
