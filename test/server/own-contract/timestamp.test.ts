import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTimestamp } from '../../../server/own-contract/timestamp.ts';
import { sampleCount, seed } from '../../support/sampling.ts';

const moment = fc.oneof(
  fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
  fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  // Timestamps in one list are close to each other, so the formatter uses its caches.
  fc.integer({ min: 1_767_225_590_000, max: 1_767_225_610_000 }),
);

test('formatTimestamp returns the same text as Date.toISOString', () => {
  fc.assert(
    fc.property(moment, (ms) => {
      expect(formatTimestamp(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: sampleCount(2_000), seed },
  );
});
