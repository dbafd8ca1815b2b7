import { assertValid } from '../../own-contract/validate.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import type { Transaction } from '../../storage/store.ts';
import { requireConversation } from '../conversations/update.ts';
import { addMessage } from './add.ts';

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
