import { expect, test } from 'vitest';
import { postgresPrograms } from '../../scripts/machines/cluster.ts';
import { faults } from '../../scripts/machines/faults.ts';
import { tryFault } from '../../scripts/machines/try-fault.ts';
import { isLong } from '../sample.ts';

// In `npm test` each of them has a test of its own, without load.
test.runIf(isLong && postgresPrograms()).each(faults)('nothing is lost when: $what', async (fault) => {
  const { held, balance } = await tryFault(fault, 2_000);
  expect({ held, balance }).toMatchObject({ held: true, balance: { lostWrites: 0, lostEvents: 0, gaps: 0 } });
  expect(balance.acknowledged).toBeGreaterThan(20);
});

test('faults have names of their own, and say what happens', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  for (const { what } of faults) expect(what).toMatch(/\.$/);
});
