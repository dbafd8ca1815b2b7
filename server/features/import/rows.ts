import { parseTimestamp } from '../../lib/parse-timestamp.ts';
import { readContact } from '../contacts/columns.ts';
import { newContactRow } from '../contacts/create.ts';
import { defaultSettings } from '../conversations/open.ts';
import type { AcceptedValue } from '../fields/values.ts';
import { payloadBytes } from '../messages/add.ts';
import type { ImportRecord, RecordOf } from './record.ts';

const timestamps = ({ created_at, updated_at }: ImportRecord, now: number) => {
  const created = created_at === undefined ? now : parseTimestamp(created_at);
  return { created_at: created, updated_at: updated_at === undefined ? created : parseTimestamp(updated_at) };
};

const switchOf = (given: boolean | undefined, defaultValue: boolean): 0 | 1 =>
  (given ?? defaultValue) ? 1 : 0;

/** Returns the row of a contact, with the avatar, status and timestamps of its line. */
export function contactRow(
  entry: RecordOf<'contact'>,
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
  const [contact, unhandled] = readContact(rest);
  // Does not compile if the import format has a property that is not stored here.
  unhandled satisfies Record<string, never>;
  return {
    ...newContactRow(contact, values, companyId, now),
    avatar,
    status,
    ...timestamps(entry, now),
  };
}

/** Returns the row of a conversation. */
export const conversationRow = (
  entry: RecordOf<'conversation'>,
  companyId: number,
  callerId: number,
  now: number,
) => ({
  company_id: companyId,
  caller_id: callerId,
  user_id: entry.user_id ?? defaultSettings.user_id,
  team_id: entry.team_id ?? defaultSettings.team_id,
  service: entry.service,
  webchat_socket_channel: entry.webchat_socket_channel ?? defaultSettings.webchat_socket_channel,
  new: switchOf(entry.new, true),
  is_closed: switchOf(entry.is_closed, false),
  archived: entry.archived ? parseTimestamp(entry.archived) : null,
  chatbot_enabled: switchOf(entry.chatbot_enabled, false),
  no_matches_count: entry.no_matches_count ?? defaultSettings.no_matches_count,
  out_of_office_replied: switchOf(entry.out_of_office_replied, false),
  ...timestamps(entry, now),
  deleted_at: null,
});

/**
 * Returns the row of a message. An imported message does not reopen its conversation, because the conversation's line
 * has the final state.
 */
export const messageRow = (
  entry: RecordOf<'message'>,
  companyId: number,
  conversationId: number,
  now: number,
) => ({
  company_id: companyId,
  conversation_id: conversationId,
  user_id: entry.user_id ?? null,
  type: entry.type,
  payload: entry.payload,
  payload_bytes: payloadBytes(entry.payload),
  new: switchOf(entry.new, !entry.read),
  read: switchOf(entry.read, false),
  ...timestamps(entry, now),
  deleted_at: null,
});
