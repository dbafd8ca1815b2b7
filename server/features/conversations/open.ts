import { publish } from '../../delivery/publish.ts';
import { notFoundError } from '../../errors.ts';
import { lockCompany } from '../../storage/locks.ts';
import { findContact } from '../../storage/queries/contacts.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import { insertRow } from '../../storage/queries/rows.ts';
import type { Transaction } from '../../storage/store.ts';
import { presentConversation } from './present.ts';

type NewConversation = Pick<ConversationRow, 'caller_id' | 'service'> & Partial<ConversationRow>;

/** Returns the row of a conversation. Missing properties get the values of new ones. */
export const newConversationRow = <Given extends NewConversation>(
  companyId: number,
  given: Given,
  now: number,
) => ({
  user_id: null,
  team_id: null,
  webchat_socket_channel: null,
  chatbot_enabled: 0 as const,
  no_matches_count: 0,
  out_of_office_replied: 0 as const,
  new: 1 as const,
  is_closed: 0 as const,
  archived: null,
  created_at: now,
  updated_at: now,
  ...given,
  company_id: companyId,
  deleted_at: null,
});

/**
 * Opens a conversation with a contact.
 * @param now milliseconds since 1970
 * @throws ApiError if the contact does not exist
 */
export async function openConversation(
  db: Transaction,
  companyId: number,
  given: NewConversation,
  now: number,
): Promise<ConversationRow> {
  await lockCompany(db, companyId);
  if (!(await findContact(db, companyId, given.caller_id)))
    throw notFoundError(companyId, 'contact', given.caller_id);
  const row = newConversationRow(companyId, given, now);
  const conversation = { ...row, id: await insertRow(db, 'conversations', row) };
  await publish(db, {
    companyId,
    type: 'conversation.created',
    data: async () => presentConversation(conversation),
    now,
  });
  return conversation;
}
