import { listMessages, listNewestSizes, type MessageRow } from '../../storage/queries/messages.ts';
import type { Database } from '../../storage/store.ts';
import { chooseMessages, maxMessageBytes } from './message-limits.ts';

export interface Embedded {
  /** Returns the embedded messages of a conversation, oldest first. */
  of: (conversationId: number) => MessageRow[];
  /** Contains `X-Truncated-Conversations` if messages were left out. */
  headers: { 'X-Truncated-Conversations'?: string };
}

/**
 * Reads the newest messages of conversations, within the limits of a response (D22).
 * @param before includes only messages with a smaller ID
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
