import { sql } from 'kysely';
import { isAfter, startOf } from '../creation-spans.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { Database } from '../store.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import { findCreatedBetween } from './created-between.ts';

export interface ContactFilter {
  companyId: number;
  includeAnonymous: boolean;
  /** Earliest creation time, in milliseconds since 1970. */
  from: number | undefined;
  /** End of the creation time range (exclusive). */
  to: number | undefined;
}

export interface ContactPage extends ContactFilter {
  order: 'asc' | 'desc';
  /** The list continues after this ID; undefined to start at its beginning. */
  after?: number | undefined;
  limit: number;
  offset: number;
}

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

interface PageOfAll {
  companyId: number;
  /** The list continues after this ID. */
  after: number;
  limit: number;
  offset: number;
}

/** Reads the IDs of the page first: otherwise, PostgreSQL would read the values of all contacts that it skips. */
const pageOfAll = (order: 'asc' | 'desc', includeAnonymous: boolean) =>
  preparedStatement((db, { companyId, after, limit, offset }: PageOfAll) => {
    const page = filterContacts(db, { companyId, includeAnonymous, from: undefined, to: undefined })
      .select('id')
      .where(isAfter({ after, order }))
      .orderBy('id', order)
      .limit(limit)
      .offset(offset);
    return withValues(db, contactsOf(db, companyId).where('id', 'in', page).orderBy('id', order));
  });

const pageStatements = {
  asc: { named: pageOfAll('asc', false), all: pageOfAll('asc', true) },
  desc: { named: pageOfAll('desc', false), all: pageOfAll('desc', true) },
};

export async function listContactRows(db: Database, page: ContactPage): Promise<ContactWithValues[]> {
  const { order, includeAnonymous } = page;
  const cursor = { after: page.after ?? startOf(order), order };
  if (page.from === undefined && page.to === undefined) {
    const statement = pageStatements[order][includeAnonymous ? 'all' : 'named'];
    return contactsIn(await statement(db, { ...page, after: cursor.after }));
  }
  const found = await findCreatedBetween(db, { table: 'contacts', ...page, cursor }, page);
  if (found?.length === 0) return [];
  const ids =
    found ??
    filterContacts(db, page)
      .select('id')
      .where(isAfter(cursor))
      .orderBy('id', order)
      .limit(page.limit)
      .offset(page.offset);
  const contacts = contactsOf(db, page.companyId).where('id', 'in', ids).orderBy('id', order);
  // The IDs already satisfy the other conditions.
  return contactsIn(
    await withValues(
      db,
      includeAnonymous ? contacts : contacts.where('is_anonymous', '=', sql.lit(0)),
    ).execute(),
  );
}

export async function countContacts(db: Database, filter: ContactFilter): Promise<number> {
  const { count } = await filterContacts(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function filterContacts(db: Database, { companyId, includeAnonymous, from, to }: ContactFilter) {
  let query = contactsOf(db, companyId);
  // A literal, because the partial index cannot be used with a parameter.
  if (!includeAnonymous) query = query.where('is_anonymous', '=', sql.lit(0));
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return query;
}

/** Returns a query for the contacts of a company, without deleted ones. */
export const contactsOf = (db: Database, companyId: number) =>
  db.selectFrom('contacts').where('company_id', '=', companyId).where('deleted_at', 'is', null);

interface NewValue {
  companyId: number;
  contactId: number;
  fieldId: number;
  value: string;
  uniqueDigest: Uint8Array | null;
}

const addValue = preparedStatement((db, { companyId, contactId, fieldId, value, uniqueDigest }: NewValue) =>
  db.insertInto('field_values').values({
    company_id: companyId,
    contact_id: contactId,
    field_id: fieldId,
    value,
    unique_digest: uniqueDigest,
  }),
);

export async function insertFieldValue(db: Database, value: NewValue): Promise<void> {
  await addValue(db, value);
}
