import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { findMadeWithin } from './made-within.ts';
import type { ContactTable, FieldTable } from './schema.ts';
import type { Database } from './store.ts';

export type ContactRow = Selectable<ContactTable>;

/** A contact with the fields that have a value on it, in the order in which they are shown (D09). */
export interface ContactWithValues {
  contact: ContactRow;
  values: ValueRow[];
}
export type ValueRow = Selectable<FieldTable> & { value: string };

export interface ContactFilter {
  companyId: number;
  includeAnonymous: boolean;
  /** Inclusive, in milliseconds. */
  from: number | undefined;
  /** Exclusive. */
  to: number | undefined;
}

export interface ContactPage extends ContactFilter {
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export async function findContact(
  db: Database,
  companyId: number,
  id: number,
): Promise<ContactWithValues | undefined> {
  const contact = db
    .selectFrom('contacts')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  const [found] = await withValues(db, contact, 'asc');
  return found;
}

/** A contact that nobody else changes until the end of the transaction. */
export async function holdContact(
  db: Database,
  companyId: number,
  id: number,
): Promise<ContactWithValues | undefined> {
  // A statement of its own: one that waits for a lock sees what belongs to the row as it was before.
  await db
    .selectFrom('contacts')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute();
  return findContact(db, companyId, id);
}

export async function listContacts(db: Database, page: ContactPage): Promise<ContactWithValues[]> {
  const made = await findMadeWithin(db, { table: 'contacts', ...page }, page);
  if (made?.length === 0) return [];
  // The dates are in the numbers already; said once more, they would lead an engine to read the whole range.
  const contacts = made
    ? filtered(db, { ...page, from: undefined, to: undefined })
        .selectAll()
        .where('id', 'in', made)
    : filtered(db, page).selectAll().orderBy('id', page.order).limit(page.limit).offset(page.offset);
  return withValues(db, contacts, page.order);
}

export async function countContacts(db: Database, filter: ContactFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function filtered(db: Database, { companyId, includeAnonymous, from, to }: ContactFilter) {
  let query = db.selectFrom('contacts').where('company_id', '=', companyId).where('deleted_at', 'is', null);
  // Written out rather than bound: only so is the partial index on it used.
  if (!includeAnonymous) query = query.where('is_anonymous', '=', sql.lit(0));
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return query;
}

export type Contacts = ReturnType<ReturnType<typeof filtered>['selectAll']>;

/** One statement, so that contacts and values are of the same moment. */
export async function withValues(
  db: Database,
  contacts: Contacts,
  order: 'asc' | 'desc',
): Promise<ContactWithValues[]> {
  const rows = await db
    .selectFrom(contacts.as('c'))
    .leftJoin('field_values as v', (join) =>
      join.onRef('v.company_id', '=', 'c.company_id').onRef('v.contact_id', '=', 'c.id'),
    )
    .leftJoin('fields as f', (join) =>
      join
        .onRef('f.company_id', '=', 'v.company_id')
        .onRef('f.id', '=', 'v.field_id')
        .on('f.deleted_at', 'is', null),
    )
    .selectAll('c')
    .select([
      'v.value as value',
      'f.id as field_id',
      'f.icon as field_icon',
      'f.name as field_name',
      'f.type as field_type',
      'f.order as field_order',
      'f.is_unique as field_is_unique',
      'f.created_at as field_created_at',
      'f.updated_at as field_updated_at',
    ])
    .orderBy('c.id', order)
    .orderBy('f.order')
    .orderBy('f.id')
    .execute();

  const found: ContactWithValues[] = [];
  for (const row of rows) {
    let last = found.at(-1);
    if (last?.contact.id !== row.id) {
      last = { contact: row, values: [] };
      found.push(last);
    }
    const value = valueIn(row);
    if (value) last.values.push(value);
  }
  return found;
}

/** The joined half of a row; all of it is null where the contact has no value, or the field was deleted. */
type JoinedValue = { company_id: number; value: string | null } & {
  [K in keyof ValueRow as K extends 'company_id' | 'value' | 'deleted_at' ? never : `field_${K}`]:
    | ValueRow[K]
    | null;
};

function valueIn(row: JoinedValue): ValueRow | undefined {
  const { value, field_id, field_icon, field_name, field_type, field_order, field_is_unique } = row;
  const { field_created_at, field_updated_at } = row;
  if (
    value === null ||
    field_id === null ||
    field_icon === null ||
    field_name === null ||
    field_type === null
  )
    return;
  if (
    field_order === null ||
    field_is_unique === null ||
    field_created_at === null ||
    field_updated_at === null
  )
    return;
  return {
    id: field_id,
    company_id: row.company_id,
    icon: field_icon,
    name: field_name,
    type: field_type,
    order: field_order,
    is_unique: field_is_unique,
    created_at: field_created_at,
    updated_at: field_updated_at,
    deleted_at: null,
    value,
  };
}

/** @returns the new contact's id */
export async function insertContact(db: Database, contact: Insertable<ContactTable>): Promise<number> {
  const { id } = await db.insertInto('contacts').values(contact).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function insertFieldValue(
  db: Database,
  value: {
    companyId: number;
    contactId: number;
    fieldId: number;
    value: string;
    uniqueDigest: Uint8Array | null;
  },
): Promise<void> {
  await db
    .insertInto('field_values')
    .values({
      company_id: value.companyId,
      contact_id: value.contactId,
      field_id: value.fieldId,
      value: value.value,
      unique_digest: value.uniqueDigest,
    })
    .execute();
}

export async function updateContact(
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

/** Takes every value off a contact; what was claimed is free again. */
export async function deleteFieldValues(db: Database, companyId: number, contactId: number): Promise<void> {
  await db
    .deleteFrom('field_values')
    .where('company_id', '=', companyId)
    .where('contact_id', '=', contactId)
    .execute();
}
