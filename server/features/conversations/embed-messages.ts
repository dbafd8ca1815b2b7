import {
  listMessages,
  listNewestSizes,
  type MessageRow,
  type MessageSize,
} from '../../storage/queries/messages.ts';
import type { Database } from '../../storage/store.ts';

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

/** Maximum number of embedded messages per conversation: in a list, and in a response with one conversation (D22). */
export const maxMessagesInList = 100;
export const maxMessagesInOne = 1_000;

/** Maximum size of all payloads in a response, in bytes (D22). */
export const maxMessageBytes = 8 * 1_048_576;

/**
 * The ID of the oldest embedded message of each conversation, and the IDs of the conversations whose older messages are
 * left out.
 */
interface ChosenMessages {
  oldest: Map<number, number>;
  truncated: number[];
}

/**
 * Distributes the size limit of a response evenly: first the newest message of each conversation, then the second
 * newest, until the limit is reached. Once a message does not fit, the older messages of its conversation are left out.
 * @param sizes each conversation's messages, newest first, with one more than `most` if there are more
 */
function chooseMessages(
  sizes: readonly MessageSize[],
  { most, bytes }: { most: number; bytes: number },
): ChosenMessages {
  const waiting = Map.groupBy(sizes, ({ conversation_id }) => conversation_id);
  const oldest = new Map<number, number>();
  const truncated = new Set<number>();
  let room = bytes;
  for (let index = 0; waiting.size > 0; index += 1)
    for (const [conversationId, messages] of waiting) {
      const next = messages[index];
      const doesFit = next !== undefined && index < most && next.payload_bytes <= room;
      if (doesFit) {
        room -= next.payload_bytes;
        oldest.set(conversationId, next.id);
      } else {
        if (next) truncated.add(conversationId);
        waiting.delete(conversationId);
      }
    }
  return { oldest, truncated: [...truncated].sort((one, other) => one - other) };
}
