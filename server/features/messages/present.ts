import type { Schemas } from '../../own-contract/handler.ts';
import { formatTimestamp, formatTimestampOrNull } from '../../own-contract/timestamp.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';

/** Converts a message to its API representation. */
export function presentMessage(row: MessageRow): Schemas['Message'] {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    user_id: row.user_id,
    type: row.type,
    payload: row.payload,
    new: row.new === 1,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    deleted_at: formatTimestampOrNull(row.deleted_at),
    read: row.read === 1,
  };
}
