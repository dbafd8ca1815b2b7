import type { BooleanFlag, ImportKeyTable } from '../schema.ts';
import type { Database } from '../store.ts';

/* Erases rows in batches. Callers erase children first. */

/** Types of entities that can be erased. */
export type ErasedType = ImportKeyTable['kind'];

/** Rows per batch. SQLite allows 32,766 parameters in a statement. */
export const batchSize = 1_000;

/** Lists conversations of a contact, deleted ones included. */
export async function listConversationsOf(
  db: Database,
  companyId: number,
  contactId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('company_id', '=', companyId)
    .where('caller_id', '=', contactId)
    .orderBy('id')
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists messages of conversations, deleted ones included. */
export async function listMessagesOf(
  db: Database,
  companyId: number,
  conversationIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('company_id', '=', companyId)
    .where('conversation_id', 'in', conversationIds)
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns which rows were created since a timestamp. */
export async function createdSince(
  db: Database,
  companyId: number,
  kind: ErasedType,
  { ids, timestamp }: { ids: readonly number[]; timestamp: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom(tableOf[kind])
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .where('created_at', '>=', timestamp)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether a row of a company exists, deleted or not. */
export async function isKept(
  db: Database,
  companyId: number,
  kind: ErasedType,
  id: number,
): Promise<boolean> {
  const row = await db
    .selectFrom(tableOf[kind])
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

const tableOf = { contact: 'contacts', conversation: 'conversations', message: 'messages' } as const;

/** Erases rows. A contact is removed from the search index first. */
export async function eraseRows(
  db: Database,
  companyId: number,
  kind: ErasedType,
  ids: readonly number[],
): Promise<void> {
  if (kind === 'contact') {
    // The search index follows updates only, so an update removes the entry first.
    await db
      .updateTable('contacts')
      .set({ search_text: null })
      .where('company_id', '=', companyId)
      .where('id', 'in', ids)
      .execute();
    await db
      .deleteFrom('field_values')
      .where('company_id', '=', companyId)
      .where('contact_id', 'in', ids)
      .execute();
  }
  await db.deleteFrom(tableOf[kind]).where('company_id', '=', companyId).where('id', 'in', ids).execute();
}

/** Erases their import keys. */
export async function eraseImportKeys(
  db: Database,
  companyId: number,
  kind: ErasedType,
  ids: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('import_keys')
    .where('company_id', '=', companyId)
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .execute();
}

/** Erases their events, sent or not. @returns the number of events */
export async function eraseDeliveries(
  db: Database,
  companyId: number,
  kind: ErasedType,
  ids: readonly number[],
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('company_id', '=', companyId)
    .where('type', 'like', `${kind}.%`)
    .where('data_id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Lists idempotency keys of a company with the headers of their responses. */
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

export async function eraseStoredResponses(
  db: Database,
  companyId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .deleteFrom('idempotency_keys')
    .where('company_id', '=', companyId)
    .where('key', 'in', keys)
    .execute();
}

/** The row may have expired. */
export interface Aging {
  id: number;
  deleted_at: number | null;
  updated_at: number;
  /** Conversations only. */
  is_closed?: BooleanFlag;
}

/** Lists rows of a company after an ID, with their timestamps. */
export function listAging(
  db: Database,
  companyId: number,
  kind: ErasedType,
  after: number,
): Promise<Aging[]> {
  const rows = db
    .selectFrom(tableOf[kind])
    .select(['id', 'deleted_at', 'updated_at'])
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize);
  return (kind === 'conversation' ? rows.select('is_closed' as never) : rows).execute();
}

/** Returns the time of the last activity in a conversation. */
export async function lastMessageAt(
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
