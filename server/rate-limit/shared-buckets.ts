import { setTimeout as wait } from 'node:timers/promises';
import { deleteFullBuckets, spendFromBuckets } from '../storage/queries/rate-limit-buckets.ts';
import type { Store } from '../storage/store.ts';
import type { RateLimiter } from './token-bucket.ts';

/** How often processes tell each other what they have let pass (D33). */
const everyMs = 1_000;

// Nobody's data are lost by it, so the end of a process does not wait for longer.
const lastMs = 1_000;

// So many buckets at once are a matter of milliseconds for the database.
const most = 2_000;

/** Tells the others what was taken here, and learns what is left. @throws StoreUnavailable; then it is told later */
export async function syncBuckets(store: Store, limiter: RateLimiter, now: () => number): Promise<void> {
  const spent = limiter.tell(most);
  if (spent.length === 0) return;
  try {
    limiter.learn(await store.write((db) => spendFromBuckets(db, limiter.policy, spent, now())));
  } catch (error) {
    limiter.takeBack(spent);
    throw error;
  }
}

/**
 * Makes limits hold over all processes on a database. Between two rounds each of them lets pass what it thinks is
 * left, so a burst may be that of as many as there are processes; what was too much is missing afterwards.
 * @returns ends it, when everything is told, or could not be
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
      // Told once, and not each second for as long as a database is away.
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

/** @returns how many buckets nobody needs any more */
export const purgeFullBuckets = async (
  store: Store,
  limiters: readonly RateLimiter[],
  now: number,
): Promise<number> => {
  let count = 0;
  for (const { policy } of limiters) count += await store.write((db) => deleteFullBuckets(db, policy, now));
  return count;
};
