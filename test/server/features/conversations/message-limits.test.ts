import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseMessages } from '../../../../server/features/conversations/message-limits.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';

const given = fc.record({
  sizes: fc.array(fc.record({ conversation_id: fc.integer({ min: 1, max: 4 }), payload_bytes: fc.nat(40) }), {
    maxLength: 40,
  }),
  most: fc.integer({ min: 1, max: 8 }),
  bytes: fc.nat(200),
});

test('chooses the newest messages of each conversation within both limits, and lists truncated conversations', () => {
  fc.assert(
    fc.property(given, ({ sizes: drawn, most, bytes }) => {
      // Newest first, as the storage returns them.
      const sizes = drawn.map((size, index) => ({ ...size, id: drawn.length - index }));
      const { oldest, truncated } = chooseMessages(sizes, { most, bytes });
      let total = 0;
      for (const [id, all] of Map.groupBy(sizes, ({ conversation_id }) => conversation_id)) {
        const chosen = all.filter((message) => message.id >= (oldest.get(id) ?? Number.POSITIVE_INFINITY));
        expect(chosen.length).toBeLessThanOrEqual(most);
        expect(truncated.includes(id)).toBe(chosen.length < all.length);
        total += chosen.reduce((sum, { payload_bytes }) => sum + payload_bytes, 0);
      }
      expect(total).toBeLessThanOrEqual(bytes);
      // If no conversation was truncated, at least one message of each conversation was chosen.
      if (truncated.length === 0) expect(oldest.size).toBe(new Set(sizes.map((s) => s.conversation_id)).size);
    }),
    { numRuns: sampleCount(1_000), seed },
  );
});

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
