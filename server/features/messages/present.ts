import type { Schemas } from '../../contract/handler.ts';
import { timestamp, timestampOrNull } from '../../contract/timestamp.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';

/** A message as the interface shows it. */
export function presentMessage(row: MessageRow): Schemas['Message'] {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    user_id: row.user_id,
    type: row.type,
    payload: row.payload,
    new: row.new === 1,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    deleted_at: timestampOrNull(row.deleted_at),
    read: row.read === 1,
  };
}
