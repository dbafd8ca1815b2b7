import { listMessages, listNewestSizes, type MessageRow } from '../../storage/queries/messages.ts';
import type { Database } from '../../storage/store.ts';
import { chooseMessages, maxMessageBytes } from './message-limits.ts';

export interface Embedded {
  /** The messages of a conversation that come along, oldest of them first. */
  of: (conversationId: number) => MessageRow[];
  /** `X-Truncated-Conversations`, where it is due. */
  headers: { 'X-Truncated-Conversations'?: string };
}

/**
 * The newest messages of some conversations, within the bounds of an answer (D22).
 * @param before only messages with a smaller id
 */
export async function embedMessages(
  db: Database,
  companyId: number,
  conversationIds: readonly number[],
  { most, before = Number.MAX_SAFE_INTEGER }: { most: number; before?: number | undefined },
): Promise<Embedded> {
  if (conversationIds.length === 0) return { of: () => [], headers: {} };
  const sizes = await listNewestSizes(db, companyId, conversationIds, { most: most + 1, before });
  const { oldest, truncated } = chooseMessages(sizes, { most, bytes: maxMessageBytes });
  const ranges = [...oldest].map(([conversationId, from]) => ({ conversationId, from, before }));
  const messages = Map.groupBy(
    await listMessages(db, companyId, ranges),
    ({ conversation_id }) => conversation_id,
  );
  return {
    of: (conversationId) => messages.get(conversationId) ?? [],
    headers: truncated.length > 0 ? { 'X-Truncated-Conversations': truncated.join(', ') } : {},
  };
}
