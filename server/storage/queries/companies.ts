import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { CompanyTable } from '../schema.ts';
import type { Database } from '../store.ts';
import type { OwnedTable } from '../tables.ts';
import { lastAssignedId } from './id-sequence.ts';

export type CompanyRow = Selectable<CompanyTable>;

/** @returns the ID of the company */
export async function insertCompany(
  db: Database,
  company: { name: string; created_at: number },
): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Sets the rate limit of a company's tokens; null for that of the service. */
export async function setCompanyLimit(db: Database, id: number, perMinute: number | null): Promise<void> {
  await db.updateTable('companies').set({ rate_per_minute: perMinute }).where('id', '=', id).execute();
}

/** Whether the database has any company. */
export async function hasCompanies(db: Database): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether the database has or had any company. Companies that were erased keep their IDs. */
export const hasHadCompanies = async (db: Database): Promise<boolean> =>
  (await hasCompanies(db)) || (await lastAssignedId(db, 'companies')) > 0;

type CountQuery = (db: Database, companyId: number) => Promise<number>;

const countRows =
  (table: OwnedTable, condition: RawBuilder<SqlBool>): CountQuery =>
  async (db, companyId) => {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('company_id', '=', companyId)
      .where(condition)
      .executeTakeFirstOrThrow();
    return Number(count);
  };

const countMessages: CountQuery = async (db, companyId) => {
  const { count } = await db
    .selectFrom('conversations as c')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.company_id', '=', 'c.company_id').onRef('m.conversation_id', '=', 'c.id'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('c.company_id', '=', companyId)
    .where('c.deleted_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

const isLive = sql<SqlBool>`deleted_at is null`;

// A table without an entry does not compile. An empty entry is for rows that are parts of other objects.
const counts: Record<OwnedTable, Record<string, CountQuery>> = {
  contacts: {
    contacts: countRows('contacts', isLive),
    anonymous_contacts: countRows('contacts', sql`deleted_at is null and is_anonymous = 1`),
  },
  field_values: {},
  unsettled_webhooks: {},
  import_keys: {},
  fields: { fields: countRows('fields', isLive) },
  conversations: {
    conversations: countRows('conversations', isLive),
    closed_conversations: countRows('conversations', sql`deleted_at is null and is_closed = 1`),
    archived_conversations: countRows('conversations', sql`deleted_at is null and archived is not null`),
  },
  messages: { messages: countMessages },
  webhooks: { webhooks: countRows('webhooks', isLive) },
  deliveries: { deliveries_waiting: countRows('deliveries', sql`state = 'waiting'`) },
  delivery_payloads: {},
  idempotency_keys: {},
  // `token list` shows them.
  tokens: {},
};

/** Counts a company's contacts, messages and other objects, without deleted ones. */
export async function countCompanyData(db: Database, companyId: number): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const [name, count] of Object.values(counts).flatMap((queries) => Object.entries(queries)))
    counted[name] = await count(db, companyId);
  return counted;
}

export function listCompanies(db: Database): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().orderBy('id').execute();
}

export function findCompany(db: Database, id: number): Promise<CompanyRow | undefined> {
  return db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}
