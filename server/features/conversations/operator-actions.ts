import { notBefore } from '../../own-contract/timestamp.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import type { Transaction } from '../../storage/store.ts';
import { requireConversation } from './find.ts';
import type { ConversationSettings } from './open.ts';
import { assertValidConversation } from './rules.ts';
import { applyConversationUpdate } from './update.ts';

export interface ConversationTarget {
  companyId: number;
  id: number;
  /** Milliseconds since 1970. */
  now: number;
}

// Operator actions on a conversation (D37). Each throws ApiError if the conversation does not exist.

export async function closeConversation(
  db: Transaction,
  { companyId, id, now }: ConversationTarget,
): Promise<ConversationRow> {
  return applyConversationUpdate(db, await requireConversation(db, companyId, id), { is_closed: 1 }, { now });
}

/** Archives a conversation. A conversation that is already archived stays unchanged and keeps its timestamp. */
export async function archiveConversation(
  db: Transaction,
  { companyId, id, now }: ConversationTarget,
): Promise<ConversationRow> {
  const row = await requireConversation(db, companyId, id);
  const archived = row.archived ?? notBefore(row, now);
  return applyConversationUpdate(db, row, { archived }, { type: 'conversation.archived', now });
}

export async function forwardConversation(
  db: Transaction,
  { companyId, id, now }: ConversationTarget,
  to: { team: number } | { agent: number },
): Promise<ConversationRow> {
  const row = await requireConversation(db, companyId, id);
  return 'team' in to
    ? applyConversationUpdate(db, row, { team_id: to.team }, { type: 'conversation.forwarded_to_team', now })
    : applyConversationUpdate(
        db,
        row,
        { user_id: to.agent },
        { type: 'conversation.forwarded_to_agent', now },
      );
}

/** Deletes a conversation with its messages (soft delete, D39). */
export async function deleteConversation(
  db: Transaction,
  { companyId, id, now }: ConversationTarget,
): Promise<ConversationRow> {
  const row = await requireConversation(db, companyId, id);
  return applyConversationUpdate(
    db,
    row,
    { deleted_at: notBefore(row, now) },
    { type: 'conversation.deleted', now },
  );
}

/** @throws ApiError if the conversation does not exist, or if the contract does not allow a setting */
export async function updateConversationSettings(
  db: Transaction,
  { companyId, id, now }: ConversationTarget,
  settings: Partial<ConversationSettings>,
): Promise<ConversationRow> {
  const row = await requireConversation(db, companyId, id);
  assertValidConversation({ ...row, ...settings });
  return applyConversationUpdate(db, row, settings, { now });
}
