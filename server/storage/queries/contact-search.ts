import { sql } from 'kysely';
import { engineOf } from '../engine.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { ContactSearch, SearchWindow } from '../search.ts';
import type { Database } from '../store.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import { contactsOf } from './contacts.ts';

interface Found {
  companyId: number;
  /** The IDs as a JSON array. */
  ids: string;
}

const contactsOfPage = preparedStatement((db, { companyId, ids }: Found) => {
  const isFound = sql<boolean>`id in ${engineOf(db).idsIn(sql`${ids}`)}`;
  return withValues(db, contactsOf(db, companyId).where(isFound).orderBy('id'));
});

/**
 * Lists the contacts that a search finds, in order of ID.
 * @throws SearchTooLong
 */
export async function searchContactRows(
  db: Database,
  search: ContactSearch & SearchWindow,
): Promise<ContactWithValues[]> {
  const page = await engineOf(db).find(db, search, search);
  if (page.length === 0) return [];
  return contactsIn(await contactsOfPage(db, { companyId: search.companyId, ids: JSON.stringify(page) }));
}

/** Counts the contacts that a search finds. @throws SearchTooLong */
export const countMatches = (db: Database, search: ContactSearch): Promise<number> =>
  engineOf(db).count(db, search);
