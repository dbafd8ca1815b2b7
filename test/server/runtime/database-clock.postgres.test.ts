import { expect, onTestFinished, test } from 'vitest';
import { startDatabaseClock } from '../../../server/runtime/database-clock.ts';
import { startService } from '../../support/service.ts';

test("returns the database's time, and reports how far the machine is ahead", async () => {
  const { store } = await startService();
  const reported: number[] = [];
  const clock = await startDatabaseClock(store, {
    local: () => Date.now() + 60_000,
    onSkew: (skewMs) => reported.push(skewMs),
  });
  onTestFinished(clock.stop);
  // The test's database runs on this machine.
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(500);
  expect(Math.abs(clock.skewMs() - 60_000)).toBeLessThan(500);
  expect(reported).toEqual([clock.skewMs()]);
});

test('a small skew is not reported, and a database that goes away does not stop the clock', async () => {
  const { store } = await startService();
  const reported: number[] = [];
  const clock = await startDatabaseClock(store, { onSkew: (skewMs) => reported.push(skewMs) });
  clock.stop();
  const before = clock.now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(clock.now() - before).toBeGreaterThanOrEqual(45);
  expect(reported).toEqual([]);
  const away = { ...store, read: () => Promise.reject(new Error('away')) };
  await expect(startDatabaseClock(away, { onSkew() {} })).rejects.toThrow('away');
});
