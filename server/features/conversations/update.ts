import { notFoundError } from '../../errors.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
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

interface ConversationTarget {
  companyId: number;
  id: number;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Returns an operator's action on a conversation (D37). It throws ApiError if the conversation does not exist.
 * @param changeOf returns the change. It gets the time of the change.
 */
const actionOn =
  (type: ConversationEvent, changeOf: (row: ConversationRow, at: number) => ConversationChange) =>
  async (db: Transaction, { companyId, id, now }: ConversationTarget): Promise<ConversationRow> => {
    const row = await requireConversation(db, companyId, id);
    return applyConversationUpdate(db, row, changeOf(row, notBefore(row, now)), { type, now });
  };

export const closeConversation = actionOn('conversation.updated', () => ({ is_closed: 1 }));

/** Archives a conversation. A conversation that is already archived stays unchanged and keeps its timestamp. */
export const archiveConversation = actionOn('conversation.archived', (row, at) => ({
  archived: row.archived ?? at,
}));

/** Deletes a conversation with its messages (soft delete, D39). */
export const deleteConversation = actionOn('conversation.deleted', (_row, at) => ({ deleted_at: at }));

export const forwardConversation = (to: { team_id: number } | { user_id: number }) =>
  actionOn('team_id' in to ? 'conversation.forwarded_to_team' : 'conversation.forwarded_to_agent', () => to);
