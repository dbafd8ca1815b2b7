import { expect, onTestFinished, test, vi } from 'vitest';
import { readPostgresTime, startDatabaseClock } from '../../../server/runtime/database-clock.ts';
import { startService } from '../../support/service.ts';

test("returns the database's time", async () => {
  const { store } = await startService();
  const sentAt = performance.now();
  const clock = await startDatabaseClock(() => store.read(readPostgresTime));
  onTestFinished(clock.stop);
  // The test's database runs on this machine. The clock can be wrong by half of the time that the query took, and by the
  // millisecond that is the resolution of both.
  const error = (performance.now() - sentAt) / 2 + 1;
  expect(Math.abs(clock.now() - Date.now())).toBeLessThanOrEqual(error + 1);
});

test('continues the time of the database with a monotonic clock, regardless of the clock of the machine', async () => {
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(100);
  onTestFinished(() => monotonic.mockRestore());
  const ofMachine = vi.spyOn(Date, 'now').mockReturnValue(0);
  onTestFinished(() => ofMachine.mockRestore());
  let reads = 0;
  const clock = await startDatabaseClock(async () => {
    reads += 1;
    return 50_000;
  });
  clock.stop();
  monotonic.mockReturnValue(7_100);
  expect([clock.now(), reads]).toEqual([57_000, 1]);
});

test('does not start without a response of the database', async () => {
  await expect(startDatabaseClock(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
