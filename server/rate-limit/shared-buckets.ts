import { setTimeout as wait } from 'node:timers/promises';
import { deleteFullBuckets, spendFromBuckets } from '../storage/queries/rate-limit-buckets.ts';
import type { Store } from '../storage/store.ts';
import type { RateLimiter } from './token-bucket.ts';

/** Interval at which processes synchronize their use of shared limits (D33). */
const everyMs = 1_000;

// Timeout of the final synchronization at shutdown, in milliseconds. If it times out, the tokens taken since the
// previous synchronization are not counted.
const lastMs = 1_000;

// Maximum number of buckets per transaction.
const maxBuckets = 2_000;

/**
 * Writes to the database how many tokens this process has taken, and reads how many remain for all processes.
 * @throws StoreUnavailable; the next call retries
 */
export async function syncBuckets(store: Store, limiter: RateLimiter, now: () => number): Promise<void> {
  const spent = limiter.takeUnsynced(maxBuckets);
  if (spent.length === 0) return;
  try {
    limiter.setLevels(await store.write((db) => spendFromBuckets(db, limiter.policy, spent, now())));
  } catch (error) {
    limiter.restoreUnsynced(spent);
    throw error;
  }
}

/**
 * Applies limits across all processes that share a database, by synchronizing once a second. In between, each process
 * allows all the tokens that remained at the last synchronization. So N processes may allow N bursts at once, and the
 * excess is subtracted afterwards.
 * @returns a function that synchronizes one last time and then stops
 */
export function startBucketSync(
  store: Store,
  limiters: readonly RateLimiter[],
  { now, onError }: { now: () => number; onError: (error: unknown) => void },
): () => Promise<void> {
  let round: Promise<unknown> | undefined;
  const failing = new Set<RateLimiter>();
  const tryOnce = async (limiter: RateLimiter) => {
    try {
      await syncBuckets(store, limiter, now);
      failing.delete(limiter);
    } catch (error) {
      // Reported once per outage.
      if (!failing.has(limiter)) onError(error);
      failing.add(limiter);
    }
  };
  const share = () => {
    round ??= Promise.all(limiters.map(tryOnce)).finally(() => {
      round = undefined;
    });
    return round;
  };
  const timer = setInterval(share, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await Promise.race([Promise.resolve(round).then(share), wait(lastMs, undefined, { ref: false })]);
  };
}

/** Deletes full buckets from the database. @returns the number of deleted buckets */
export const purgeFullBuckets = async (
  store: Store,
  limiters: readonly RateLimiter[],
  now: number,
): Promise<number> => {
  let count = 0;
  for (const { policy } of limiters) count += await store.write((db) => deleteFullBuckets(db, policy, now));
  return count;
};
