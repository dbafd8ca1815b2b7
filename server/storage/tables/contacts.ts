import type { Generated } from 'kysely';
import type { Schemas } from '../../own-contract/handler.ts';
import { companies } from './companies.ts';
import { type BooleanFlag, type ColumnsOf, defineTable } from './define-table.ts';

/** The properties that create and update requests write. Each has a column. */
export type WrittenContact = Omit<Required<Schemas['ContactCreate']>, 'fields'>;

export interface ContactTable extends ColumnsOf<WrittenContact> {
  id: Generated<number>;
  company_id: number;
  avatar: string | null;
  status: Schemas['ContactStatus'];
  /**
   * Whether the contact has no name, no e-mail address and no telephone number (D12). Stored, because lists exclude
   * anonymous contacts by default.
   */
  is_anonymous: BooleanFlag;
  /** The text that searches are matched against (D21); null until it is created. */
  search_text: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export const contacts = defineTable<ContactTable>()({
  parents: [companies],
  key: ['id'],
  isOwned: true,
  exported: 'in the history',
  personalData: { entity: 'contact', parentColumn: null, location: 'getContact' },
  onCitus: 'distributed',
});
