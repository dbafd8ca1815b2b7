import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import { tables } from '../tables.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import type { ConversationRow } from './conversations.ts';
import { batchSize } from './erasure.ts';
import type { MessageRow } from './messages.ts';

/*
 * Everything that a company has, deleted rows too: for whoever takes it away, and for whoever lets it go.
 */

/** Some contacts behind an id, with their values. */
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

/** Some conversations behind an id. */
export const listAllConversations = (
  db: Database,
  companyId: number,
  after: number,
): Promise<ConversationRow[]> =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize)
    .execute();

/** Some messages behind an id. */
export const listAllMessages = (db: Database, companyId: number, after: number): Promise<MessageRow[]> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize)
    .execute();

type Owned = Exclude<keyof Schema, 'companies' | 'rate_buckets' | 'erasures'>;

// What tells two rows of a company apart.
const keys: Record<Owned, readonly string[]> = {
  tokens: ['id'],
  fields: ['id'],
  contacts: ['id'],
  field_values: ['contact_id', 'field_id'],
  idempotency_keys: ['key'],
  conversations: ['id'],
  messages: ['id'],
  webhooks: ['id'],
  deliveries: ['webhook_id', 'sequence'],
  delivery_payloads: ['webhook_id', 'sequence'],
  import_keys: ['kind', 'key'],
};

const isOwned = (table: keyof Schema): table is Owned => Object.hasOwn(keys, table);

/** What a company owns, what refers to others before them; its tokens first, so that nobody makes more of it. */
export const ownedTables: readonly Owned[] = [
  'tokens',
  ...tables
    .filter(isOwned)
    .filter((table) => table !== 'tokens')
    .toReversed(),
];

/** Deletes some rows of a company for good. @returns how many; less than a part where these were the last */
export async function eraseBatch(db: Database, companyId: number, table: Owned): Promise<number> {
  if (table === 'contacts')
    // The index of the search follows updates, and their rows would stay in it otherwise.
    await sql`update contacts set search_text = null where id in (
      select id from contacts where company_id = ${companyId} order by id limit ${sql.lit(batchSize)})`.execute(
      db,
    );
  const key = sql.join(keys[table].map((name) => sql.ref(name)));
  const order = sql.join(keys[table].map((name) => sql`${sql.ref(name)}`));
  const { numAffectedRows = 0n } = await sql<SqlBool>`delete from ${sql.table(table)}
    where company_id = ${companyId} and (${key}) in (
      select ${key} from ${sql.table(table)} where company_id = ${companyId}
      order by ${order} limit ${sql.lit(batchSize)})`.execute(db);
  return Number(numAffectedRows);
}

/** The company itself, of which nothing else is left. @throws Error of the database where something is */
export async function eraseCompanyRow(db: Database, companyId: number): Promise<void> {
  await db.deleteFrom('companies').where('id', '=', companyId).execute();
}
