import type { MessageSize } from '../../storage/queries/messages.ts';

/** How many messages of a conversation come along in a list, and in an answer of its own (D22). */
export const maxMessagesInList = 100;
export const maxMessagesInOne = 1_000;

/** How many bytes of payload one answer holds (D22). */
export const maxMessageBytes = 8 * 1_048_576;

/** For each conversation the oldest message that comes along; those that lose some. */
export interface ChosenMessages {
  oldest: Map<number, number>;
  truncated: number[];
}

/**
 * Shares the room of an answer out evenly: first the newest message of each conversation, then the second
 * newest, until the room is full. A conversation whose next message does not fit gets no older one, so
 * that what comes along has no holes.
 * @param sizes each conversation's messages, newest first; one more than `most` tells that there are more
 */
export function chooseMessages(
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
      const fits = next !== undefined && index < most && next.payload_bytes <= room;
      if (fits) {
        room -= next.payload_bytes;
        oldest.set(conversationId, next.id);
      } else {
        if (next) truncated.add(conversationId);
        waiting.delete(conversationId);
      }
    }
  return { oldest, truncated: [...truncated].sort((one, other) => one - other) };
}
