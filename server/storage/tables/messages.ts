import type { Generated } from 'kysely';
import type { Schemas } from '../../own-contract/handler.ts';
import { conversations } from './conversations.ts';
import { type BooleanFlag, defineTable } from './define-table.ts';

export interface MessageTable {
  id: Generated<number>;
  company_id: number;
  conversation_id: number;
  /** Null if the contact wrote it (D16). */
  user_id: number | null;
  type: Schemas['MessageType'];
  payload: string;
  /** Size as JSON in UTF-8. Stored, so that the limits of a response (D22) are computed without reading payloads. */
  payload_bytes: number;
  new: BooleanFlag;
  read: BooleanFlag;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export const messages = defineTable<MessageTable>()({
  parents: [conversations],
  key: ['id'],
  isOwned: true,
  exported: 'in the history',
  personalData: { entity: 'message', parentColumn: 'conversation_id', location: 'getMessage' },
  onCitus: 'distributed',
});
