import { changedProperties, publish } from '../../delivery/publish.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import type { EventType } from '../../own-contract/webhook-selectors.ts';
import { type ConversationRow, updateConversationRow } from '../../storage/queries/conversations.ts';
import type { Transaction } from '../../storage/store.ts';
import { presentConversation } from './present.ts';

type ConversationEvent = Exclude<EventType & `conversation.${string}`, 'conversation.created'>;

/**
 * Changes a conversation and publishes the event. A change without effect does nothing (D56).
 * @param now milliseconds since 1970
 * @returns the conversation after the change
 */
export async function applyConversationUpdate(
  db: Transaction,
  row: ConversationRow,
  change: Partial<Omit<ConversationRow, 'id' | 'company_id' | 'created_at' | 'updated_at'>>,
  { type = 'conversation.updated', now }: { type?: ConversationEvent; now: number },
): Promise<ConversationRow> {
  const changedAt = notBefore(row, now);
  const after = { ...row, ...change, updated_at: changedAt };
  const changed = changedProperties(presentConversation(row), presentConversation(after));
  if (changed.length === 0) return row;
  await updateConversationRow(db, row.company_id, row.id, { ...change, updated_at: changedAt });
  await publish(db, {
    companyId: row.company_id,
    type,
    data: async () => presentConversation(after),
    changed: type === 'conversation.deleted' ? [] : changed,
    now: changedAt,
  });
  return after;
}
