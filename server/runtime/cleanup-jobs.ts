import { purgeDeletedFieldValues } from '../features/contacts/background-jobs.ts';
import { purgeIdempotencyKeys } from '../features/idempotency.ts';
import { eraseExpired } from '../features/privacy/retention.ts';
import { purgeOldAuditRecords, purgeOldDeliveries } from '../features/purge-old-rows.ts';
import { corruptionMessage, type RuntimeDependencies } from './bootstrap.ts';
import type { Config } from './config/config.ts';

/** Interval of cleanup jobs, in milliseconds. */
const cleanupIntervalMs = 3_600_000;
/** Delay of the first cleanup, so that requests that arrived during startup are processed first. */
const firstCleanupMs = 1_000;
const dailyMs = 24 * cleanupIntervalMs;
const firstDailyMs = 60_000;
/** Days after which audit records are deleted (D68). */
const auditDays = 365;

/** Jobs by their name in the log. Each returns the number of rows that it changed, if it counts them. */
type Jobs = Record<string, () => Promise<unknown>>;

/**
 * Starts the jobs that remove old data and check the database, in this process.
 * @param isStopping returns true once shutdown has begun; jobs that fail then are not logged
 */
export function startCleanupJobs(
  config: Config,
  {
    store,
    log,
    now,
    isStopping,
  }: Pick<RuntimeDependencies, 'store' | 'log'> & {
    /** Returns milliseconds since 1970. */
    now: () => number;
    isStopping: () => boolean;
  },
): void {
  const hourlyJobs: Jobs = {
    responses: () => purgeIdempotencyKeys(store, now()),
    values: () => purgeDeletedFieldValues(store),
    deliveries: () => purgeOldDeliveries(store, now()),
    audit: () => purgeOldAuditRecords(store, now() - auditDays * dailyMs),
  };
  // These jobs read all data, so they run only once a day.
  const dailyJobs: Jobs = {
    expired: async () => {
      const erased = await eraseExpired(store, config, now());
      return Object.values(erased).reduce((all, count) => all + count, 0);
    },
    corruption: async () => {
      const corruption = await store.checkIntegrity();
      if (corruption !== undefined) log.error({ reason: corruption }, corruptionMessage);
    },
  };
  const runJobs = async (jobs: Jobs) => {
    // A failed job does not prevent the others from running.
    for (const [what, run] of Object.entries(jobs))
      try {
        const count = await run();
        if (count) log.info({ what, count }, 'cleanup finished');
      } catch (error) {
        if (!isStopping()) log.error({ what, err: error }, 'cleanup failed');
      }
  };
  const schedule = (jobs: Jobs, firstMs: number, everyMs: number) => {
    setTimeout(() => runJobs(jobs), firstMs).unref();
    setInterval(() => runJobs(jobs), everyMs).unref();
  };
  schedule(hourlyJobs, firstCleanupMs, cleanupIntervalMs);
  schedule(dailyJobs, firstDailyMs, dailyMs);
}
