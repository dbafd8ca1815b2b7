import { notFoundError } from '../../errors.ts';
import type { EventType } from '../../own-contract/webhook-selectors.ts';
import { type ConversationRow, findConversationForUpdate } from '../../storage/queries/conversations.ts';
import type { Database, Transaction } from '../../storage/store.ts';
import { changeEntity } from '../change-entity.ts';
import { presentConversation } from './present.ts';

/** The event of a change of a conversation. */
export type ConversationEvent = Exclude<EventType & `conversation.${string}`, 'conversation.created'>;

/** The columns of a conversation that change. */
export type ConversationChange = Partial<
  Omit<ConversationRow, 'id' | 'company_id' | 'created_at' | 'updated_at'>
>;

/** Changes a conversation and publishes the event. @param now milliseconds since 1970 */
export const applyConversationUpdate = (
  db: Transaction,
  row: ConversationRow,
  change: ConversationChange,
  { type = 'conversation.updated', now }: { type?: ConversationEvent; now: number },
): Promise<ConversationRow> =>
  changeEntity(db, row, change, {
    table: 'conversations',
    type,
    present: (shown) => presentConversation(shown),
    now,
  });

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
