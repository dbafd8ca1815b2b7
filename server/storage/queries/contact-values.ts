import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { contactProperties } from '../../own-contract/contact-properties.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { engineOf } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import type { ContactTable, WrittenContact } from '../tables/contacts.ts';
import type { BooleanFlag } from '../tables/define-table.ts';
import type { FieldRow } from './fields.ts';

/** A contact without its search text. */
type ContactRow = Omit<Selectable<ContactTable>, 'search_text'>;

// Does not compile if a column of `ContactTable` is missing.
const otherColumns: Record<Exclude<keyof ContactRow, keyof WrittenContact>, true> = {
  id: true,
  company_id: true,
  avatar: true,
  status: true,
  is_anonymous: true,
  created_at: true,
  updated_at: true,
  deleted_at: true,
};

/** The columns of a contact without its search text. */
const contactColumns: readonly (keyof ContactRow)[] = [
  ...(Object.keys(otherColumns) as (keyof typeof otherColumns)[]),
  ...contactProperties.filter((name) => name !== 'fields'),
];

/** A contact with its custom-field values, in display order (D09). */
export interface ContactWithValues {
  contact: ContactRow;
  values: ContactValue[];
}

export interface ContactValue {
  field: FieldRow;
  value: string;
}

/** A contact with its values as JSON, because one row per value would repeat the contact. */
interface WholeRow extends ContactRow {
  valuesJson: string;
}

/** Selects contacts with values and fields in one statement, so that they are consistent. */
export function withValues<Chosen>(db: Database, contacts: SelectQueryBuilder<Schema, 'contacts', Chosen>) {
  // Starts from the values of the contact, because the company may have many more fields.
  const valuesJson = sql<string>`(select ${engineOf(db).jsonOfRows(valueColumns)} from field_values v
    join fields f on f.company_id = v.company_id and f.id = v.field_id
    where v.company_id = contacts.company_id and v.contact_id = contacts.id and f.deleted_at is null)`;
  return contacts.select([...contactColumns, valuesJson.as('valuesJson')]);
}

const valueColumns = [
  'v.value',
  'f.id',
  'f.icon',
  'f.name',
  'f.type',
  'f.order',
  'f.is_unique',
  'f.created_at',
  'f.updated_at',
].map((name) => sql.ref(name));

type ValueTuple = [
  value: string,
  id: number,
  icon: string,
  name: string,
  type: Schemas['FieldType'],
  order: number,
  isUnique: BooleanFlag,
  createdAt: number,
  updatedAt: number,
];

/** Parses the rows of a statement from `withValues`. */
export const contactsIn = (rows: readonly WholeRow[]): ContactWithValues[] =>
  rows.map((contact) => ({ contact, values: valuesIn(contact) }));

/** Parses the values of a contact, and sorts them in display order. */
function valuesIn({ company_id, valuesJson }: WholeRow): ContactValue[] {
  const all: ValueTuple[] = JSON.parse(valuesJson);
  return all
    .map(([value, id, icon, name, type, order, is_unique, created_at, updated_at]) => ({
      value,
      field: {
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
      },
    }))
    .sort(({ field: one }, { field: other }) => one.order - other.order || one.id - other.id);
}
