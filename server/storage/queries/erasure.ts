import type { BooleanFlag, ImportKeyTable } from '../schema.ts';
import type { Database } from '../store.ts';

/*
 * Rows that go for good, and not only out of sight. Each takes away a part, so that nobody waits for long; whoever calls
 * begins with what points to others.
 */

/** What can be erased with all that is known of it. */
export type ErasedType = ImportKeyTable['kind'];

/** How many rows are looked at or erased at once; SQLite takes 32,766 parameters in a statement. */
export const batchSize = 1_000;

/** Some conversations of a contact, deleted ones too. */
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

/** Some messages of these conversations, deleted ones too. */
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

/** Those of some rows that were made since a moment. */
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

/** Whether there is such a row of a company, deleted or not. */
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

/** The rows themselves. A contact leaves the search first. */
export async function eraseRows(
  db: Database,
  companyId: number,
  kind: ErasedType,
  ids: readonly number[],
): Promise<void> {
  if (kind === 'contact') {
    // The index of the search follows updates, and its row would stay in it otherwise.
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

/** The names that imports gave to them. */
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

/** What was or is to be told of them, whether or not it has been sent. @returns how many events */
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

/** Idempotency-Keys of a company with the headers of their answers, by key. */
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

/** A row that may be old enough to go. */
export interface Aging {
  id: number;
  deleted_at: number | null;
  updated_at: number;
  /** Of a conversation. */
  is_closed?: BooleanFlag;
}

/** Some rows of a company behind an id, with what tells how old they are. */
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

/** When something was last said or changed in a conversation. */
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
