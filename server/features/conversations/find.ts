import { notFoundError } from '../../errors.ts';
import { type ConversationRow, findConversationForUpdate } from '../../storage/queries/conversations.ts';
import type { Database } from '../../storage/store.ts';

/** Reads a conversation and locks it until the end of the transaction. @throws ApiError if it does not exist */
export async function requireConversation(
  db: Database,
  companyId: number,
  id: number,
): Promise<ConversationRow> {
  const row = await findConversationForUpdate(db, companyId, id);
  if (row) return row;
  throw notFoundError(companyId, 'conversation', id);
}
