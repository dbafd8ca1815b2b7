import type { Schemas } from '../../own-contract/handler.ts';
import { formatTimestamp, formatTimestampOrNull } from '../../own-contract/timestamp.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { presentMessage } from '../messages/present.ts';

/** Converts a conversation to its API representation. Events contain it without messages (D42). */
export function presentConversation(
  row: ConversationRow,
  messages: readonly MessageRow[] = [],
): Schemas['Conversation'] {
  return {
    id: row.id,
    caller_id: row.caller_id,
    user_id: row.user_id,
    service: row.service,
    webchat_socket_channel: row.webchat_socket_channel,
    new: row.new === 1,
    is_closed: row.is_closed === 1,
    archived: formatTimestampOrNull(row.archived),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    deleted_at: formatTimestampOrNull(row.deleted_at),
    chatbot_enabled: row.chatbot_enabled === 1,
    no_matches_count: row.no_matches_count,
    out_of_office_replied: row.out_of_office_replied === 1,
    company_id: row.company_id,
    team_id: row.team_id,
    messages: messages.map(presentMessage),
  };
}
