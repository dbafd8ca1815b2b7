import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue, type FairQueueOptions, runInTurn } from '../../../server/lib/fair-queue.ts';

const inTurnOf = (options: FairQueueOptions) => {
  const queue = createFairQueue(options);
  return <T>(key: number, work: () => Promise<T>) =>
    runInTurn(queue, String(key), work, () => new Error('too late'));
};

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

test('a key waits only for its own work while slots are free', async () => {
  const { begun, work, end } = records();
  const inTurn = inTurnOf({ max: 3, maxPerKey: 2, waitMs: 10_000 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => inTurn(name.charCodeAt(0), work(name)));
  await wait(1);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'a4', 'b1']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('a task that times out while waiting takes no slot, and a failed task frees its slot', async () => {
  const { work, end } = records();
  const inTurn = inTurnOf({ max: 1, maxPerKey: 1, waitMs: 30 });
  const first = inTurn(1, work('first'));
  await expect(inTurn(1, work('late'))).rejects.toThrow('too late');
  await end('first');
  await first;
  await expect(inTurn(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await inTurn(2, async () => 'next')).toBe('next');
});

/** A queue whose turns of the event loop the test ends. Each started task is recorded by its key, and runs until `finish`. */
function inTurns(options: Partial<FairQueueOptions> = {}) {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const refused: string[] = [];
  const running: (() => void)[] = [];
  const queue = createFairQueue({
    ...{ max: 10_000, maxPerKey: 10_000, waitMs: 600_000, maxStartsPerTurn: 4 },
    ...options,
    afterTurn: (work) => ends.push(work),
  });
  return {
    queue,
    started,
    refused,
    enter(key: string) {
      const end = queue.enter(
        key,
        () => started.push(key),
        () => refused.push(key),
      );
      running.push(end);
      return end;
    },
    endTurn() {
      started.length = 0;
      for (const end of ends.splice(0)) end();
      return started.join('');
    },
    finish: () => {
      for (const end of running.splice(0)) end();
    },
  };
}

test('a turn of the event loop starts four tasks, of a different key each while several wait', () => {
  const { enter, started, endTurn } = inTurns();
  for (const key of 'baaaaaaaaaabbc') enter(key);
  expect(started.join('')).toBe('baaa');
  expect(endTurn()).toBe('bacb');
  expect(endTurn()).toBe('aaaa');
  expect(endTurn()).toBe('aa');
  expect(endTurn()).toBe('');
});

test('a key that is alone starts all its tasks at once, until another one comes', () => {
  const { enter, started, endTurn } = inTurns();
  for (const key of 'aaaaaaaaaab') enter(key);
  expect(started.join('')).toBe('aaaaaaaaaa');
  expect(endTurn()).toBe('b');
});

test('refuses a task of a key with too many waiting ones, but not of another key', () => {
  const { enter, refused, queue, finish } = inTurns({ max: 1, maxPerKey: 1, maxWaitingPerKey: 3 });
  for (const key of 'aaaaa') enter(key);
  expect([refused.join(''), queue.waiting()]).toEqual(['a', 3]);
  for (const key of 'bbbb') enter(key);
  expect([refused.join(''), queue.waiting()]).toEqual(['ab', 6]);
  finish();
  expect(queue.waiting()).toBe(0);
});

test('a task that is removed while it waits does not start, and frees its place', () => {
  const { enter, endTurn, queue } = inTurns({ maxStartsPerTurn: 1 });
  enter('a');
  const second = enter('a');
  enter('b');
  second();
  second();
  expect(queue.waiting()).toBe(1);
  expect([endTurn(), endTurn()]).toEqual(['b', '']);
});

test('never runs more than its limits, and starts every task (property)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c', 'end', 'turn'), { maxLength: 200 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (steps, max, maxPerKey) => {
        const ends: (() => void)[] = [];
        const running: { key: string; end: () => void }[] = [];
        let [added, begun] = [0, 0];
        const queue = createFairQueue({
          ...{ max, maxPerKey, waitMs: 600_000, maxStartsPerTurn: 2 },
          afterTurn: (work) => ends.push(work),
        });
        const turn = () => {
          for (const end of ends.splice(0)) end();
        };
        for (const step of steps)
          if (step === 'turn') turn();
          else if (step === 'end') running.shift()?.end();
          else {
            added += 1;
            let end = () => {};
            const task = { key: step, end: () => end() };
            end = queue.enter(
              step,
              () => {
                begun += 1;
                running.push(task);
                expect(running.length).toBeLessThanOrEqual(max);
                expect(running.filter(({ key }) => key === step).length).toBeLessThanOrEqual(maxPerKey);
              },
              () => expect.fail('refused'),
            );
          }
        for (let count = 0; queue.waiting() > 0 && count < 1_000; count += 1) {
          running.shift()?.end();
          turn();
        }
        expect(begun).toBe(added);
      },
    ),
  );
});
