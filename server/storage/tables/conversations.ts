import type { Generated } from 'kysely';
import type { Schemas } from '../../own-contract/handler.ts';
import { contacts } from './contacts.ts';
import { type BooleanFlag, defineTable } from './define-table.ts';

export interface ConversationTable {
  id: Generated<number>;
  company_id: number;
  /** The ID of the conversation's contact. */
  caller_id: number;
  user_id: number | null;
  team_id: number | null;
  service: Schemas['ConversationService'];
  webchat_socket_channel: string | null;
  new: BooleanFlag;
  is_closed: BooleanFlag;
  archived: number | null;
  chatbot_enabled: BooleanFlag;
  no_matches_count: number;
  out_of_office_replied: BooleanFlag;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export const conversations = defineTable<ConversationTable>()({
  parents: [contacts],
  key: ['id'],
  isOwned: true,
  exported: 'in the history',
  personalData: { entity: 'conversation', parentColumn: 'caller_id', location: null },
  onCitus: 'distributed',
});
