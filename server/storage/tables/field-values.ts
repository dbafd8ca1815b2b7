import { contacts } from './contacts.ts';
import { defineTable } from './define-table.ts';
import { fields } from './fields.ts';

export interface FieldValueTable {
  company_id: number;
  contact_id: number;
  field_id: number;
  value: string;
  /** SHA-256 of the canonical value, if the field is unique and the contact is not deleted (D08). */
  unique_digest: Uint8Array | null;
}

export const fieldValues = defineTable<FieldValueTable>()({
  parents: [contacts, fields],
  key: ['contact_id', 'field_id'],
  isOwned: true,
  exported: 'with its parent',
  personalData: 'of other rows',
  onCitus: 'distributed',
});
