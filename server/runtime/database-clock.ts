import { readPostgresTime } from '../storage/postgres/read-time.ts';
import type { Store } from '../storage/store.ts';

/**
 * The clock of the database, which all processes share. Leases and due times of one process then mean the same to the
 * others, even if the clocks of their machines differ.
 */
export interface DatabaseClock {
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** How far the clock of this machine is ahead of the database's, in milliseconds. */
  skewMs: () => number;
  stop: () => void;
}

/** The clock of this machine, for the embedded database. */
export const localClock: DatabaseClock = { now: Date.now, skewMs: () => 0, stop: () => {} };

export interface DatabaseClockOptions {
  /** Called when the skew exceeds a second, and when it no longer does. */
  onSkew: (skewMs: number) => void;
  /** Returns the time of this machine, in milliseconds since 1970. */
  local?: () => number;
}

const intervalMs = 10_000;
const reportedMs = 1_000;

/**
 * Reads the time of a PostgreSQL database, and again every ten seconds. In between, a monotonic clock continues it, so a
 * correction of the machine's clock changes nothing.
 * @throws Error if the database is unavailable
 */
export async function startDatabaseClock(
  store: Store,
  { onSkew, local = Date.now }: DatabaseClockOptions,
): Promise<DatabaseClock> {
  let origin = 0;
  let skew = 0;
  const now = () => Math.round(origin + performance.now());

  async function synchronize(): Promise<void> {
    const startedAt = performance.now();
    const time = await store.read(readPostgresTime);
    const middle = (startedAt + performance.now()) / 2;
    origin = time - middle;
    const wasReported = Math.abs(skew) > reportedMs;
    skew = local() - now();
    if (Math.abs(skew) > reportedMs !== wasReported) onSkew(skew);
  }

  await synchronize();
  // Without a response, the monotonic clock continues.
  const timer = setInterval(() => void synchronize().catch(() => {}), intervalMs);
  timer.unref();
  return { now, skewMs: () => skew, stop: () => clearInterval(timer) };
}
