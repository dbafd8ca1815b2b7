import { setTimeout as wait } from 'node:timers/promises';
import { dropFullBuckets, spendFromBuckets } from '../storage/queries/rate-limit-buckets.ts';
import type { Store } from '../storage/store.ts';
import type { Limiter } from './token-bucket.ts';

/** How often processes tell each other what they have let pass (D33). */
const everyMs = 1_000;

// Nobody's data are lost by it, so the end of a process does not wait for longer.
const lastMs = 1_000;

// So many buckets at once are a matter of milliseconds for the database.
const most = 2_000;

/** Tells the others what was taken here, and learns what is left. @throws StoreUnavailable; then it is told later */
export async function shareOnce(store: Store, limiter: Limiter, now: () => number): Promise<void> {
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
export function shareLimits(
  store: Store,
  limiters: readonly Limiter[],
  { now, onFault }: { now: () => number; onFault: (error: unknown) => void },
): () => Promise<void> {
  let round: Promise<unknown> | undefined;
  const failing = new Set<Limiter>();
  const tryOnce = async (limiter: Limiter) => {
    try {
      await shareOnce(store, limiter, now);
      failing.delete(limiter);
    } catch (error) {
      // Told once, and not each second for as long as a database is away.
      if (!failing.has(limiter)) onFault(error);
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
export const forgetFullBuckets = async (
  store: Store,
  limiters: readonly Limiter[],
  now: number,
): Promise<number> => {
  let count = 0;
  for (const { policy } of limiters) count += await store.write((db) => dropFullBuckets(db, policy, now));
  return count;
};
