import { missing } from '../errors.ts';
import { type ConversationRow, findConversation } from '../storage/conversations.ts';
import type { Database } from '../storage/store.ts';

/** @throws Refused where the company has no such conversation */
export async function liveConversation(
  db: Database,
  companyId: number,
  id: number,
): Promise<ConversationRow> {
  const row = await findConversation(db, companyId, id);
  if (row) return row;
  throw missing(companyId, 'conversation', id);
}
