import { type Generated, sql } from 'kysely';
import type { Schemas } from '../../own-contract/handler.ts';
import { companies } from './companies.ts';
import { type BooleanFlag, defineTable, isLive } from './define-table.ts';

export interface ContactTable {
  id: Generated<number>;
  company_id: number;
  first_name: string | null;
  last_name: string | null;
  email_address: string | null;
  telephone_number: string | null;
  avatar: string | null;
  status: Schemas['ContactStatus'];
  from_integration: BooleanFlag;
  integration: string | null;
  from_whatsapp: BooleanFlag;
  from_email: BooleanFlag;
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
  hasPersonalData: true,
  counts: {
    contacts: isLive,
    anonymous_contacts: sql`deleted_at is null and is_anonymous = 1`,
  },
  onCitus: 'distributed',
});
