import { setTimeout as wait } from 'node:timers/promises';
import { addUsage, type UsageCount } from '../storage/queries/usage-counts.ts';
import type { Store } from '../storage/store.ts';

const dayMs = 86_400_000;

/** Interval at which counts are added to the database, in milliseconds. A crash loses the counts since the last time. */
const everyMs = 10_000;

// Timeout of the last addition at shutdown, in milliseconds.
const lastMs = 1_000;

export interface UsageCounter {
  /** Counts a request to the API, also if it is rejected. */
  countRequest(companyId: number): void;
  /** Counts an attempt to send a webhook. */
  countWebhookRequest(companyId: number): void;
  /** Adds the last counts to the database, if it is available. */
  stop(): Promise<void>;
}

/**
 * Counts requests per company and day in memory, and adds them to the database once every ten seconds. Any number of
 * processes can do so.
 * @param options.now returns milliseconds since 1970
 */
export function startUsageCounter(
  store: Pick<Store, 'write'>,
  { now, onError }: { now: () => number; onError: (error: unknown) => void },
): UsageCounter {
  let counts = new Map<string, UsageCount>();
  let hasFailed = false;

  function add({ companyId, day, requests, webhookRequests }: UsageCount): void {
    const key = `${companyId} ${day}`;
    const count = counts.get(key) ?? { companyId, day, requests: 0, webhookRequests: 0 };
    count.requests += requests;
    count.webhookRequests += webhookRequests;
    counts.set(key, count);
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const flushed = [...counts.values()];
    counts = new Map();
    try {
      await store.write((db) => addUsage(db, flushed));
      hasFailed = false;
    } catch (error) {
      for (const count of flushed) add(count);
      // Reported once per outage.
      if (!hasFailed) onError(error);
      hasFailed = true;
    }
  }

  let flushing = Promise.resolve();
  const flushNext = (): Promise<void> => {
    flushing = flushing.then(flush);
    return flushing;
  };
  const timer = setInterval(flushNext, everyMs).unref();
  const today = (): number => Math.floor(now() / dayMs);
  return {
    countRequest: (companyId) => add({ companyId, day: today(), requests: 1, webhookRequests: 0 }),
    countWebhookRequest: (companyId) => add({ companyId, day: today(), requests: 0, webhookRequests: 1 }),
    async stop() {
      clearInterval(timer);
      await Promise.race([flushNext(), wait(lastMs, undefined, { ref: false })]);
    },
  };
}
