import { parseTimestamp } from '../../lib/parse-timestamp.ts';
import { columnsOf, readContact } from '../contacts/columns.ts';
import { newContactRow } from '../contacts/create.ts';
import { newConversationRow } from '../conversations/open.ts';
import type { AcceptedValue } from '../fields/values.ts';
import { newMessageRow } from '../messages/add.ts';
import type { ImportRecord, RecordOf } from './record.ts';

const timestamps = ({ created_at, updated_at }: ImportRecord, now: number) => {
  const created = created_at === undefined ? now : parseTimestamp(created_at);
  return { created_at: created, updated_at: updated_at === undefined ? created : parseTimestamp(updated_at) };
};

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
export function conversationRow(
  entry: RecordOf<'conversation'>,
  companyId: number,
  callerId: number,
  now: number,
) {
  const { kind: _kind, key: _key, contact: _contact, archived, created_at, updated_at, ...rest } = entry;
  const given = {
    ...columnsOf(rest),
    caller_id: callerId,
    archived: archived ? parseTimestamp(archived) : null,
  };
  return { ...newConversationRow(companyId, given, now), ...timestamps(entry, now) };
}

/**
 * Returns the row of a message. An imported message does not reopen its conversation, because the conversation's line
 * has the final state.
 */
export function messageRow(
  entry: RecordOf<'message'>,
  companyId: number,
  conversationId: number,
  now: number,
) {
  const { user_id = null, type, payload, read = false, new: isNew = !read } = entry;
  return {
    ...newMessageRow({ company_id: companyId, id: conversationId }, { user_id, type, payload }, now),
    ...columnsOf({ new: isNew, read }),
    ...timestamps(entry, now),
  };
}
