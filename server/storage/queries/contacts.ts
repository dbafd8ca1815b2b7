import { type Selectable, sql } from 'kysely';
import { startOf } from '../creation-spans.ts';
import { engineOf } from '../engine.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { ContactSearch, SearchWindow } from '../search.ts';
import type { Database } from '../store.ts';
import type { FieldValueTable } from '../tables/field-values.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import { idsOfPage, type ListPage, pageQuery } from './lists.ts';

interface OneContact {
  companyId: number;
  id: number;
}

const theContact = preparedStatement((db, { companyId, id }: OneContact) =>
  withValues(db, contactsOf(db, companyId).where('id', '=', id)),
);

export async function findContact(
  db: Database,
  companyId: number,
  id: number,
): Promise<ContactWithValues | undefined> {
  const [found] = contactsIn(await theContact(db, { companyId, id }));
  return found;
}

const lockContact = preparedStatement((db, { companyId, id }: OneContact) =>
  db
    .selectFrom('contacts')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forNoKeyUpdate(),
);

/** Reads a contact and locks it until the end of the transaction. */
export async function findContactForUpdate(
  db: Database,
  companyId: number,
  id: number,
): Promise<ContactWithValues | undefined> {
  // The lock is a separate statement, because a statement that waits for a lock sees the values from before the wait.
  await lockContact(db, { companyId, id });
  return findContact(db, companyId, id);
}

/** A page without a date range. */
type PageOfAll = Pick<ListPage, 'companyId' | 'limit' | 'offset'> & { after: number };

/** Reads the IDs of the page first: otherwise, PostgreSQL would read the values of all contacts that it skips. */
const pageOfAll = (order: 'asc' | 'desc', includeAnonymous: boolean) =>
  preparedStatement((db, { companyId, after, limit, offset }: PageOfAll) => {
    const filter = { companyId, includeAnonymous, from: undefined, to: undefined };
    const page = pageQuery(db, 'contacts', { ...filter, order, after, limit, offset });
    return withValues(db, contactsOf(db, companyId).where('id', 'in', page).orderBy('id', order));
  });

const pageStatements = {
  asc: { named: pageOfAll('asc', false), all: pageOfAll('asc', true) },
  desc: { named: pageOfAll('desc', false), all: pageOfAll('desc', true) },
};

export async function listContactRows(db: Database, page: ListPage): Promise<ContactWithValues[]> {
  const { companyId, order, includeAnonymous } = page;
  if (page.from === undefined && page.to === undefined) {
    const statement = pageStatements[order][includeAnonymous ? 'all' : 'named'];
    return contactsIn(await statement(db, { ...page, after: page.after ?? startOf(order) }));
  }
  const ids = await idsOfPage(db, 'contacts', page);
  if ('length' in ids && ids.length === 0) return [];
  const contacts = contactsOf(db, companyId).where('id', 'in', ids).orderBy('id', order);
  return contactsIn(await withValues(db, contacts).execute());
}

/** Returns a query for the contacts of a company, without deleted ones. */
const contactsOf = (db: Database, companyId: number) =>
  db.selectFrom('contacts').where('company_id', '=', companyId).where('deleted_at', 'is', null);

/** Inserts a value of a contact. @throws UniqueViolation */
export const insertFieldValue = preparedStatement(
  (db, { company_id, contact_id, field_id, value, unique_digest }: Selectable<FieldValueTable>) =>
    db.insertInto('field_values').values({ company_id, contact_id, field_id, value, unique_digest }),
);

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
