import { notFoundError } from '../../errors.ts';
import { type ConversationRow, findConversationForUpdate } from '../../storage/queries/conversations.ts';
import type { Database } from '../../storage/store.ts';

/** A conversation that is about to be changed. @throws Refused where the company has no such conversation */
export async function requireConversation(
  db: Database,
  companyId: number,
  id: number,
): Promise<ConversationRow> {
  const row = await findConversationForUpdate(db, companyId, id);
  if (row) return row;
  throw notFoundError(companyId, 'conversation', id);
}
