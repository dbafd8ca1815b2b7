import { expect, test } from 'vitest';
import { chooseMessages } from '../../../../server/features/conversations/embed-messages.ts';

test('distributes the size limit evenly, beginning with the newest message of each conversation', () => {
  const message = (id: number, conversation_id: number) => ({ id, conversation_id, payload_bytes: 10 });
  const { oldest, truncated } = chooseMessages(
    [message(9, 1), message(8, 1), message(7, 1), message(6, 2), message(5, 2)],
    { most: 9, bytes: 30 },
  );
  expect([...oldest]).toEqual([
    [1, 8],
    [2, 6],
  ]);
  expect(truncated).toEqual([1, 2]);
});
