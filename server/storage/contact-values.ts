import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { engineOf } from './engines.ts';
import type { FieldRow } from './fields.ts';
import type { ContactTable, FieldType, Schema, Switch } from './schema.ts';
import type { Database } from './store.ts';

/** A contact without what it is searched by. */
export type ContactRow = Omit<Selectable<ContactTable>, 'search_text'>;

/** A contact with the fields that have a value on it, in the order in which they are shown (D09). */
export interface ContactWithValues {
  contact: ContactRow;
  values: ContactValue[];
}

export interface ContactValue {
  field: FieldRow;
  value: string;
}

/** A contact with all that belongs to it, as JSON: one row for each value would carry the contact with it each time. */
interface WholeRow extends ContactRow {
  /** Of `[field, value]`. */
  held: string;
  /** The live fields of the company, in every row the same. */
  definitions: string;
}

/** One statement, so that contacts, values and fields are of the same moment. @param contacts some of the company's */
export function withValues<Chosen>(
  db: Database,
  companyId: number,
  contacts: SelectQueryBuilder<Schema, 'contacts', Chosen>,
) {
  const { jsonOfRows } = engineOf(db);
  const held = sql<string>`(select ${jsonOfRows([sql`v.field_id`, sql`v.value`])} from field_values v
    where v.company_id = contacts.company_id and v.contact_id = contacts.id)`;
  // It asks for nothing of the contact, so the engine does it once.
  const definitions = sql<string>`(select ${jsonOfRows(definitionColumns)} from fields f
    where f.company_id = ${companyId} and f.deleted_at is null)`;
  return contacts.select([
    'id',
    'company_id',
    'first_name',
    'last_name',
    'email_address',
    'telephone_number',
    'avatar',
    'status',
    'from_integration',
    'integration',
    'from_whatsapp',
    'from_email',
    'is_anonymous',
    'created_at',
    'updated_at',
    'deleted_at',
    held.as('held'),
    definitions.as('definitions'),
  ]);
}

const definitionColumns = [
  'id',
  'icon',
  'name',
  'type',
  'order',
  'is_unique',
  'created_at',
  'updated_at',
].map((name) => sql.ref(`f.${name}`));

type Definition = [
  id: number,
  icon: string,
  name: string,
  type: FieldType,
  order: number,
  isUnique: Switch,
  createdAt: number,
  updatedAt: number,
];

/** What the rows of such a statement hold; values of deleted fields are left out. */
export function contactsIn(rows: readonly WholeRow[]): ContactWithValues[] {
  const [first] = rows;
  if (!first) return [];
  const fields = fieldsIn(first);
  return rows.map((contact) => {
    const held = new Map<number, string>(JSON.parse(contact.held));
    const values: ContactValue[] = [];
    if (held.size > 0)
      for (const field of fields) {
        const value = held.get(field.id);
        if (value !== undefined) values.push({ field, value });
      }
    return { contact, values };
  });
}

/** In the order in which they are shown. */
function fieldsIn({ company_id, definitions }: WholeRow): FieldRow[] {
  const all: Definition[] = JSON.parse(definitions);
  return all
    .map(([id, icon, name, type, order, is_unique, created_at, updated_at]) => ({
      id,
      company_id,
      icon,
      name,
      type,
      order,
      is_unique,
      created_at,
      updated_at,
      deleted_at: null,
    }))
    .sort((one, other) => one.order - other.order || one.id - other.id);
}
