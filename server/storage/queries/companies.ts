import { type Selectable, sql } from 'kysely';
import type { CompanyTable } from '../schema.ts';
import type { Database } from '../store.ts';

type CompanyRow = Selectable<CompanyTable>;

/** @returns the ID of the company */
export async function insertCompany(
  db: Database,
  company: { name: string; created_at: number },
): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Whether the database has any company. */
export async function hasCompanies(db: Database): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Counts a company's contacts, messages and other data, without deleted rows. */
export async function countCompanyData(db: Database, id: number) {
  const count = async (table: 'contacts' | 'fields' | 'conversations' | 'webhooks', where?: string) => {
    let query = db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('company_id', '=', id)
      .where('deleted_at', 'is', null);
    if (where) query = query.where(sql<boolean>`${sql.raw(where)}`);
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  const messages = await db
    .selectFrom('conversations as c')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.company_id', '=', 'c.company_id').onRef('m.conversation_id', '=', 'c.id'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('c.company_id', '=', id)
    .where('c.deleted_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return {
    contacts: await count('contacts'),
    anonymous_contacts: await count('contacts', 'is_anonymous = 1'),
    fields: await count('fields'),
    conversations: await count('conversations'),
    closed_conversations: await count('conversations', 'is_closed = 1'),
    archived_conversations: await count('conversations', 'archived is not null'),
    messages: Number(messages.count),
    webhooks: await count('webhooks'),
    deliveries_waiting: Number(waiting.count),
  };
}

export function listCompanies(db: Database): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().orderBy('id').execute();
}

export function findCompany(db: Database, id: number): Promise<CompanyRow | undefined> {
  return db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}
