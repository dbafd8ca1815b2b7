import { type Selectable, sql, type Updateable } from 'kysely';
import { preparedStatement } from '../prepared-statement.ts';
import type { ContactTable } from '../schema.ts';
import type { Database } from '../store.ts';
import { type ContactWithValues, contactColumns, contactsIn, withValues } from './contact-values.ts';
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

/** A value of a unique field. */
export interface UniqueValue {
  companyId: number;
  fieldId: number;
  /** SHA-256 of the canonical value. */
  uniqueDigest: Uint8Array;
}

/** Returns the ID of the contact that has a unique value. */
export async function findUniqueValueHolder(
  db: Database,
  { companyId, fieldId, uniqueDigest }: UniqueValue,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('field_values')
    .select('contact_id')
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .where('unique_digest', '=', uniqueDigest)
    .executeTakeFirst();
  return row?.contact_id;
}

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
  limit: number;
  offset: number;
}

const pageOfAll = (order: 'asc' | 'desc', includeAnonymous: boolean) =>
  preparedStatement((db, { companyId, limit, offset }: PageOfAll) => {
    const all = filterContacts(db, { companyId, includeAnonymous, from: undefined, to: undefined });
    return withValues(db, all.orderBy('id', order).limit(limit).offset(offset));
  });

const pageStatements = {
  asc: { named: pageOfAll('asc', false), all: pageOfAll('asc', true) },
  desc: { named: pageOfAll('desc', false), all: pageOfAll('desc', true) },
};

export async function listContactRows(db: Database, page: ContactPage): Promise<ContactWithValues[]> {
  const { order, includeAnonymous } = page;
  if (page.from === undefined && page.to === undefined)
    return contactsIn(await pageStatements[order][includeAnonymous ? 'all' : 'named'](db, page));
  const ids = await findCreatedBetween(db, { table: 'contacts', ...page }, page);
  if (ids?.length === 0) return [];
  // The IDs already satisfy the date range. Repeating the range could make an engine scan it.
  const contacts = ids
    ? filterContacts(db, { ...page, from: undefined, to: undefined }).where('id', 'in', ids)
    : filterContacts(db, page).limit(page.limit).offset(page.offset);
  return contactsIn(await withValues(db, contacts.orderBy('id', order)).execute());
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

type NewContact = Omit<Selectable<ContactTable>, 'id'>;

const newColumns = [...contactColumns.filter((name) => name !== 'id'), 'search_text'] as const;

const addRow = preparedStatement((db, contact: NewContact) =>
  db
    .insertInto('contacts')
    .values(Object.fromEntries(newColumns.map((name) => [name, contact[name]])) as NewContact)
    .returning('id'),
);

/** @returns the ID of the contact */
export async function insertContact(db: Database, contact: NewContact): Promise<number> {
  const [row] = await addRow(db, contact);
  if (!row) throw new Error('The contact was not stored.');
  return row.id;
}

export interface NewValue {
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

export async function updateContactRow(
  db: Database,
  companyId: number,
  id: number,
  change: Updateable<ContactTable>,
): Promise<void> {
  await db
    .updateTable('contacts')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Deletes all values of a contact, which frees its unique values. */
export async function deleteFieldValues(db: Database, companyId: number, contactId: number): Promise<void> {
  await db
    .deleteFrom('field_values')
    .where('company_id', '=', companyId)
    .where('contact_id', '=', contactId)
    .execute();
}
