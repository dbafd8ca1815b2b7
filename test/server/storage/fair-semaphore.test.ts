import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairSemaphore } from '../../../server/storage/fair-semaphore.ts';
import { StoreUnavailable } from '../../../server/storage/store.ts';

/** Creates tasks that run until the test ends them, and records which tasks have started. */
function records() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await wait(1);
  };
  return { begun, work, end };
}

test('a company waits only for its own work while slots are free', async () => {
  const { begun, work, end } = records();
  const inTurn = createFairSemaphore({ max: 3, maxPerCompany: 2, waitMs: 10_000 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => inTurn(name.charCodeAt(0), work(name)));
  await wait(1);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'a4', 'b1']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('the next slot goes to another company, and the tasks of one company start in order', async () => {
  const { begun, work, end } = records();
  const inTurn = createFairSemaphore({ max: 1, maxPerCompany: 1, waitMs: 10_000 });
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => inTurn(name.charCodeAt(0), work(name)));
  await wait(1);
  for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await end(name);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  await Promise.all(all);
});

test('a task that times out while waiting takes no slot, and a failed task frees its slot', async () => {
  const { work, end } = records();
  const inTurn = createFairSemaphore({ max: 1, maxPerCompany: 1, waitMs: 30 });
  const first = inTurn(1, work('first'));
  await expect(inTurn(1, work('late'))).rejects.toThrow(StoreUnavailable);
  await end('first');
  await first;
  await expect(inTurn(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await inTurn(2, async () => 'next')).toBe('next');
});
