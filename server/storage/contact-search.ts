import { type ContactWithValues, withValues } from './contacts.ts';
import { engineOf } from './engines.ts';
import type { Search, Window } from './search.ts';
import type { Database } from './store.ts';

/**
 * The contacts that a search finds, by id.
 * @throws SearchTooLong
 */
export async function searchContacts(db: Database, search: Search & Window): Promise<ContactWithValues[]> {
  const page = await engineOf(db).find(db, search, search);
  if (page.length === 0) return [];
  const contacts = db
    .selectFrom('contacts')
    .selectAll()
    .where('id', 'in', page)
    .where('company_id', '=', search.companyId)
    .where('deleted_at', 'is', null);
  return withValues(db, contacts, 'asc');
}

/** How many contacts a search finds. @throws SearchTooLong */
export const countFound = (db: Database, search: Search): Promise<number> => engineOf(db).count(db, search);

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
