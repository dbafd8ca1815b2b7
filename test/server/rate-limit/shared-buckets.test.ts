import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { purgeFullBuckets, startBucketSync, syncBuckets } from '../../../server/rate-limit/shared-buckets.ts';
import { createRateLimiter, type RateLimitPolicy } from '../../../server/rate-limit/token-bucket.ts';
import { deleteFullBuckets, spendFromBuckets } from '../../../server/storage/queries/rate-limit-buckets.ts';
import type { Store } from '../../../server/storage/store.ts';
import { StoreUnavailable } from '../../../server/storage/store.ts';
import { createTestDatabase } from '../../support/databases.ts';
import { createApiClient } from '../../support/http.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { openAt, startService } from '../../support/service.ts';

async function freshStore(): Promise<Store> {
  const store = await openAt((await createTestDatabase()).url);
  onTestFinished(() => store.close());
  return store;
}

test('tokens taken in one process count in another after synchronization', async () => {
  const database = await createTestDatabase();
  const tokenLimit = { name: 'token', perMinute: 60, burst: 10 };
  let clock = 1_000_000;
  const now = () => clock;
  const one = await startService({ database, tokenLimit, now });
  const other = await startService({ database, tokenLimit, now });
  const { token } = await one.company.token();
  const [here, there] = [one, other].map(({ base }) => createApiClient(base, token)) as [
    typeof one.api,
    typeof one.api,
  ];
  for (let count = 0; count < 8; count += 1) await here.listCustomFields();
  await syncBuckets(one.store, one.limits.tokens, now);
  // The other process learns of the tokens taken here only when it synchronizes.
  expect((await there.listCustomFields()).headers.get('ratelimit')).toMatch(/r=9;/);
  await syncBuckets(other.store, other.limits.tokens, now);
  expect((await there.listCustomFields()).headers.get('ratelimit')).toMatch(/r=0;/);
  expect(await there.listCustomFields()).toBeApiError(429, 42901, '');
  clock += 3_000;
  expect((await there.listCustomFields()).headers.get('ratelimit')).toMatch(/r=2;/);
});

test('processes share the limit of a token that has its own', async () => {
  const store = await freshStore();
  const now = () => 1_000_000;
  const [one, other] = [0, 1].map(() => createRateLimiter({ name: 'token', perMinute: 60, burst: 10 }, now));
  if (!one || !other) throw new Error('Two limiters are needed.');
  // Seven times the limit, so the burst is 70. One request takes a fraction of a token from the shared bucket.
  for (let count = 0; count < 40; count += 1) expect(one.take('a', 1, 420).allowed).toBe(true);
  await syncBuckets(store, one, now);
  other.take('a', 1, 420);
  await syncBuckets(store, other, now);
  expect(other.take('a', 1, 420).headers.RateLimit).toMatch(/r=28;/);
});

test('failed authentication attempts from one network share a limit across processes', async () => {
  const database = await createTestDatabase();
  const failureLimit = { name: 'failures', perMinute: 60, burst: 2 };
  const one = await startService({ database, failureLimit });
  const other = await startService({ database, failureLimit });
  const [here, there] = [one, other].map(({ base }) => createApiClient(base, 'nobody')) as [
    typeof one.api,
    typeof one.api,
  ];
  await here.listCustomFields();
  await there.listCustomFields();
  for (const { store, limits } of [one, other]) await syncBuckets(store, limits.failures, Date.now);
  expect(await there.listCustomFields()).toBeApiError(429, 42901, '');
});

const policies = fc.record({
  name: fc.constant('x'),
  perMinute: fc.integer({ min: 60, max: 6_000 }),
  burst: fc.integer({ min: 1, max: 20 }),
});

const maxCost = 5;

test('allows at most the refill and one burst per process, however requests are distributed', async () => {
  const store = await freshStore();
  let key = 0;
  await fc.assert(
    fc.asyncProperty(
      policies,
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(fc.nat(2), fc.nat(400), fc.integer({ min: 1, max: maxCost })), { maxLength: 60 }),
      async (policy: RateLimitPolicy, processes, requests) => {
        key += 1;
        let clock = 1_000_000;
        const now = () => clock;
        const limiters = Array.from({ length: processes }, () => createRateLimiter(policy, now));
        let passed = 0;
        let nextRound = clock + 1_000;
        for (const [process, pause, cost] of requests) {
          clock += pause;
          for (; nextRound <= clock; nextRound += 1_000)
            for (const limiter of limiters) await syncBuckets(store, limiter, now);
          if (limiters[process % processes]?.take(String(key), cost).allowed) passed += cost;
        }
        const refill = ((clock - 1_000_000) * policy.perMinute) / 60_000;
        // A request that costs more than a full bucket is allowed if the bucket is full.
        const burst = Math.max(policy.burst, maxCost);
        expect(passed).toBeLessThanOrEqual(processes * burst + refill + 1e-6);
      },
    ),
    { numRuns: sampleCount(25), seed },
  );
});

test('the level of a shared bucket sums all refills and costs, with at most five minutes of debt', async () => {
  const store = await freshStore();
  let key = 0;
  const steps = fc.array(fc.tuple(fc.integer({ min: -500, max: 5_000 }), fc.nat(9_000)), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(policies, steps, async (policy, told) => {
      key += 1;
      let clock = 1_000_000;
      let level: number = policy.burst;
      for (const [passes, asked] of told) {
        const cost = asked % 7 ? asked % 30 : asked;
        level +=
          (Math.max(0, clock === 1_000_000 && level === policy.burst ? 0 : passes) * policy.perMinute) /
            60_000 -
          cost;
        level = Math.max(-5 * policy.perMinute, Math.min(policy.burst, level));
        // Clocks of other processes may be behind.
        const now = clock + passes;
        const spent = [{ key: String(key), cost, since: now }];
        const shared = await store.write((db) => spendFromBuckets(db, policy, spent, now));
        clock = Math.max(clock, now);
        if (clock === 1_000_000) clock = now;
        // Each step loses at most a thousandth of a token to rounding.
        expect(Math.abs((shared[0]?.level ?? 0) - level)).toBeLessThan(0.001 * (told.length + 1));
      }
    }),
    { numRuns: sampleCount(25), seed },
  );
});

test('limits the debt of a bucket to five minutes, even in its first synchronization', async () => {
  const store = await freshStore();
  const policy = { name: 'x', perMinute: 30, burst: 10 };
  const spend = (key: string, cost: number) =>
    store.write((db) => spendFromBuckets(db, policy, [{ key, cost, since: 5_000 }], 5_000));
  expect(await spend('a', 10)).toEqual([{ key: 'a', level: 0, at: 5_000 }]);
  expect(await spend('a', 25)).toEqual([{ key: 'a', level: -25, at: 5_000 }]);
  expect(await spend('a', 250)).toEqual([{ key: 'a', level: -150, at: 5_000 }]);
  expect(await spend('b', 1_000)).toEqual([{ key: 'b', level: -150, at: 5_000 }]);
});

test.each([false, true])(
  'does not limit a client within its rate after ten minutes without synchronization (known bucket: %s)',
  async (isKnown) => {
    const store = await freshStore();
    let clock = 1_000_000;
    const now = () => clock;
    const limiter = createRateLimiter({ name: 'x', perMinute: 600, burst: 20 }, now);
    if (isKnown) {
      limiter.take('a');
      await syncBuckets(store, limiter, now);
    }
    const away: Store = { ...store, write: () => Promise.reject(new StoreUnavailable('away')) };
    // Sends nearly 9 requests per second. The rate limit allows 10.
    for (let count = 0; count < 5_400; count += 1) {
      clock += 112;
      expect(limiter.take('a').allowed).toBe(true);
      if (count % 9 === 0) await syncBuckets(away, limiter, now).catch(() => {});
    }
    await syncBuckets(store, limiter, now);
    expect(limiter.take('a').headers.RateLimit).toMatch(/r=1\d;/);
  },
);

test('a clock that was an hour ahead limits no client once it is corrected', async () => {
  const store = await freshStore();
  const policy = { name: 'x', perMinute: 60, burst: 10 };
  const spend = (at: number) =>
    store.write((db) => spendFromBuckets(db, policy, [{ key: 'a', cost: 5, since: at }], at));
  await spend(3_600_000);
  expect(await spend(1_000)).toEqual([{ key: 'a', level: 0, at: 1_000 }]);
  expect(await spend(6_000)).toEqual([{ key: 'a', level: 0, at: 6_000 }]);
});

test('four processes under constant load allow as much as one, plus three bursts', async () => {
  const store = await freshStore();
  let clock = 1_000_000;
  const now = () => clock;
  const policy = { name: 'x', perMinute: 600, burst: 50 };
  const limiters = Array.from({ length: 4 }, () => createRateLimiter(policy, now));
  let passed = 0;
  for (let step = 1; step <= 600; step += 1) {
    clock += 100;
    for (const limiter of limiters)
      for (let count = 0; count < 20; count += 1) if (limiter.take('a').allowed) passed += 1;
    if (step % 10 === 0) for (const limiter of limiters) await syncBuckets(store, limiter, now);
  }
  // In one minute, all processes together may allow one minute's refill (600 requests), and each a burst (50). Without
  // synchronization, each process would allow its own 600.
  expect(passed).toBeLessThanOrEqual(600 + 4 * 50);
  expect(passed).toBeGreaterThanOrEqual(600 - 4 * 50);
});

test('includes the tokens of a failed synchronization in the next one', async () => {
  const store = await freshStore();
  const limiter = createRateLimiter({ name: 'x', perMinute: 60, burst: 10 }, () => 0);
  for (let count = 0; count < 4; count += 1) limiter.take('a');
  const away: Store = { ...store, write: () => Promise.reject(new StoreUnavailable('away')) };
  await expect(syncBuckets(away, limiter, () => 0)).rejects.toThrow('away');
  limiter.take('a');
  await syncBuckets(store, limiter, () => 0);
  const other = createRateLimiter({ name: 'x', perMinute: 60, burst: 10 }, () => 0);
  other.take('a');
  await syncBuckets(store, other, () => 0);
  expect(other.take('a').headers.RateLimit).toMatch(/r=3;/);
});

test('synchronizes the most used buckets first if there are many', () => {
  const limiter = createRateLimiter({ name: 'x', perMinute: 60, burst: 10 }, () => 0);
  for (const [key, cost] of [
    ['a', 1],
    ['b', 5],
    ['c', 3],
  ] as const)
    limiter.take(key, cost);
  expect(limiter.takeUnsynced(2)).toEqual([
    { key: 'b', cost: 5, since: 0 },
    { key: 'c', cost: 3, since: 0 },
  ]);
  expect(limiter.takeUnsynced(2)).toEqual([{ key: 'a', cost: 1, since: 0 }]);
  expect(limiter.takeUnsynced(2)).toEqual([]);
});

test('counts tokens that are taken during a synchronization', () => {
  const limiter = createRateLimiter({ name: 'x', perMinute: 60, burst: 10 }, () => 0);
  limiter.take('a', 4);
  limiter.takeUnsynced(9);
  limiter.take('a', 3);
  limiter.setLevels([{ key: 'a', level: 6, at: 0 }]);
  expect(limiter.take('a').headers.RateLimit).toMatch(/r=2;/);
});

test('synchronizes every second and at shutdown, and purgeFullBuckets removes full buckets', async () => {
  const store = await freshStore();
  const limiter = createRateLimiter({ name: 'x', perMinute: 60, burst: 10 }, () => 0);
  const errors: unknown[] = [];
  const end = startBucketSync(store, [limiter], { now: () => 0, onError: (error) => errors.push(error) });
  const levels = () => store.read((db) => db.selectFrom('rate_buckets').select('level').execute());
  limiter.take('a');
  await expect.poll(levels).toEqual([{ level: 9_000 }]);
  limiter.take('a');
  await end();
  expect(await levels()).toEqual([{ level: 8_000 }]);
  expect(await store.write((db) => deleteFullBuckets(db, limiter.policy, 1_900))).toBe(0);
  expect(await purgeFullBuckets(store, [limiter], 2_000)).toBe(1);
  expect(await levels()).toEqual([]);
  expect(errors).toEqual([]);
});

test('reports an unavailable database once per outage', async () => {
  const store = await freshStore();
  let isAway = true;
  const failing: Store = {
    ...store,
    write: (work, company) =>
      isAway ? Promise.reject(new StoreUnavailable('away')) : store.write(work, company),
  };
  const limiter = createRateLimiter({ name: 'x', perMinute: 60, burst: 10 }, () => 0);
  const errors: unknown[] = [];
  const end = startBucketSync(failing, [limiter], { now: () => 0, onError: (error) => errors.push(error) });
  limiter.take('a');
  await expect.poll(() => errors.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(errors).toHaveLength(1);
  isAway = false;
  await expect
    .poll(() => store.read((db) => db.selectFrom('rate_buckets').select('key').execute()))
    .toHaveLength(1);
  isAway = true;
  limiter.take('a');
  await end();
  expect(errors).toHaveLength(2);
});
