import { momentOf } from '../contract/timestamp.ts';
import { newContactRow } from '../features/contacts/create.ts';
import { usualSettings } from '../features/conversations/open.ts';
import type { AcceptedValue } from '../features/fields/values.ts';
import { bytesOf } from '../features/messages/rules.ts';
import type { Entry } from './record.ts';

type Of<Kind> = Extract<Entry, { kind: Kind }>;

const moments = ({ created_at, updated_at }: Entry, now: number) => {
  const created = created_at === undefined ? now : momentOf(created_at);
  return { created_at: created, updated_at: updated_at === undefined ? created : momentOf(updated_at) };
};

const switchOf = (given: boolean | undefined, usual: boolean): 0 | 1 => ((given ?? usual) ? 1 : 0);

/** The row of a contact. It was made when its line says so, and is in the state that it tells. */
export function contactRow(
  entry: Of<'contact'>,
  values: readonly AcceptedValue[],
  companyId: number,
  now: number,
) {
  const {
    kind: _kind,
    key: _key,
    avatar = null,
    status = 'offline',
    created_at,
    updated_at,
    ...rest
  } = entry;
  return {
    ...newContactRow(rest, values, companyId, now),
    avatar,
    status,
    ...moments(entry, now),
  };
}

/** The row of a conversation with a contact. */
export const conversationRow = (
  entry: Of<'conversation'>,
  companyId: number,
  callerId: number,
  now: number,
) => ({
  company_id: companyId,
  caller_id: callerId,
  user_id: entry.user_id ?? usualSettings.user_id,
  team_id: entry.team_id ?? usualSettings.team_id,
  service: entry.service,
  webchat_socket_channel: entry.webchat_socket_channel ?? usualSettings.webchat_socket_channel,
  new: switchOf(entry.new, true),
  is_closed: switchOf(entry.is_closed, false),
  archived: entry.archived ? momentOf(entry.archived) : null,
  chatbot_enabled: switchOf(entry.chatbot_enabled, false),
  no_matches_count: entry.no_matches_count ?? usualSettings.no_matches_count,
  out_of_office_replied: switchOf(entry.out_of_office_replied, false),
  ...moments(entry, now),
  deleted_at: null,
});

/** The row of a message. It changes nothing of its conversation: the file tells what has become of that. */
export const messageRow = (entry: Of<'message'>, companyId: number, conversationId: number, now: number) => ({
  company_id: companyId,
  conversation_id: conversationId,
  user_id: entry.user_id ?? null,
  type: entry.type,
  payload: entry.payload,
  payload_bytes: bytesOf(entry.payload),
  new: switchOf(entry.new, !entry.read),
  read: switchOf(entry.read, false),
  ...moments(entry, now),
  deleted_at: null,
});
