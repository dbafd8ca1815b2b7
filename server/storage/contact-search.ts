import { sql } from 'kysely';
import { type ContactWithValues, withValues } from './contacts.ts';
import { matches } from './sqlite-search.ts';
import type { Database } from './store.ts';

/** What is to be found: all parts of at least one of the alternatives, each part anywhere in `search_text`. */
export interface Search {
  companyId: number;
  anyOf: readonly (readonly string[])[];
}

/** The contacts that a search finds, by id. */
export function searchContacts(
  db: Database,
  { companyId, anyOf, limit, offset }: Search & { limit: number; offset: number },
): Promise<ContactWithValues[]> {
  const found = sql<number>`(select rowid from contacts_search where ${matches(companyId, anyOf)}
    order by rowid limit ${limit} offset ${offset})`;
  const contacts = db
    .selectFrom('contacts')
    .selectAll()
    .where('id', 'in', found)
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
  return withValues(db, contacts, 'asc');
}

export async function countFound(db: Database, { companyId, anyOf }: Search): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from contacts_search
    where ${matches(companyId, anyOf)}`.execute(db);
  return Number(rows[0]?.count);
}

/** Live contacts whose `search_text` was never made, of any company: work of the service itself. */
export function listContactsWithoutSearchText(
  db: Database,
  limit: number,
): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('contacts')
    .select(['company_id', 'id'])
    .where('search_text', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Contacts that have a value of a field, behind a given one: the next part of them. */
export async function listContactsWithField(
  db: Database,
  companyId: number,
  fieldId: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('field_values')
    .select('contact_id')
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .where('contact_id', '>', after)
    .orderBy('contact_id')
    .limit(limit)
    .execute();
  return rows.map(({ contact_id }) => contact_id);
}
