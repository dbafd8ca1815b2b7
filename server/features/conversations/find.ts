import { missing } from '../../errors.ts';
import { type ConversationRow, holdConversation } from '../../storage/queries/conversations.ts';
import type { Database } from '../../storage/store.ts';

/** A conversation that is about to be changed. @throws Refused where the company has no such conversation */
export async function liveConversation(
  db: Database,
  companyId: number,
  id: number,
): Promise<ConversationRow> {
  const row = await holdConversation(db, companyId, id);
  if (row) return row;
  throw missing(companyId, 'conversation', id);
}
