import { publish } from '../../delivery/publish.ts';
import { settleAll } from '../../lib/settle-all.ts';
import { assertValid } from '../../own-contract/validate.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { insertRow } from '../../storage/queries/rows.ts';
import type { Transaction } from '../../storage/store.ts';
import { applyConversationUpdate, requireConversation } from '../conversations/update.ts';
import { presentMessage } from './present.ts';

/** A new message. A null user means that the contact wrote it. */
export type NewMessage = Pick<MessageRow, 'user_id' | 'type' | 'payload'>;

/** Returns the size of a payload as JSON, in bytes. A control character takes up to six bytes. */
export const payloadBytes = (payload: string): number => Buffer.byteLength(JSON.stringify(payload));

/** Returns the row of a message. */
export const newMessageRow = (
  { company_id, id }: Pick<ConversationRow, 'company_id' | 'id'>,
  { user_id, type, payload }: NewMessage,
  now: number,
) =>
  ({
    ...{ company_id, conversation_id: id, user_id, type, payload },
    payload_bytes: payloadBytes(payload),
    new: 1,
    read: 0,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }) as const;

/**
 * Adds a message to a conversation. A closed or archived conversation is reopened (D37). A message from the company
 * clears the conversation's `new` flag (D38).
 * @param now milliseconds since 1970
 * @param record records the creation; it runs together with the other statements, so it costs no round trip
 */
export async function addMessage(
  db: Transaction,
  conversation: ConversationRow,
  given: NewMessage,
  now: number,
  record: (id: number) => Promise<void> = async () => {},
): Promise<MessageRow> {
  const row = newMessageRow(conversation, given, now);
  const message = { ...row, id: await insertRow(db, 'messages', row) };
  const answered = given.user_id === null ? conversation.new : 0;
  const publishAndUpdate = async () => {
    await publish(db, {
      companyId: conversation.company_id,
      type: 'message.created',
      data: async () => presentMessage(message),
      now,
    });
    await applyConversationUpdate(db, conversation, { is_closed: 0, archived: null, new: answered }, { now });
  };
  await settleAll(publishAndUpdate(), record(message.id));
  return message;
}

/**
 * Stores a message from the contact, as a channel would. The API creates only messages from the company.
 * @param now milliseconds since 1970
 * @throws ApiError if the conversation does not exist, or the contract does not allow the message
 */
export async function receiveMessage(
  db: Transaction,
  companyId: number,
  { conversation_id, type, payload }: Pick<MessageRow, 'conversation_id' | 'type' | 'payload'>,
  now: number,
): Promise<MessageRow> {
  assertValid('MessageCreate', { conversation_id, type, payload });
  const conversation = await requireConversation(db, companyId, conversation_id);
  return addMessage(db, conversation, { user_id: null, type, payload }, now);
}
