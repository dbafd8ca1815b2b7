import { sql } from 'kysely';
import type { Database } from '../storage/store.ts';

/**
 * The clock of the database, which all processes share. Leases and due times of one process then mean the same to the
 * others, even if the clocks of their machines differ.
 */
export interface DatabaseClock {
  /** Returns milliseconds since 1970. */
  now: () => number;
  stop: () => void;
}

/** The clock of this machine, for the embedded database. */
export const localClock: DatabaseClock = { now: Date.now, stop: () => {} };

const intervalMs = 10_000;

/**
 * Reads the time of the database, and again every ten seconds. In between, a monotonic clock continues it, so the
 * machine's clock does not matter.
 * @param readTime returns the time of the database, in milliseconds since 1970
 * @throws Error if `readTime` does at first
 */
export async function startDatabaseClock(readTime: () => Promise<number>): Promise<DatabaseClock> {
  let origin = 0;

  async function synchronize(): Promise<void> {
    const startedAt = performance.now();
    const time = await readTime();
    origin = time - (startedAt + performance.now()) / 2;
  }

  await synchronize();
  // Without a response, the monotonic clock continues.
  const timer = setInterval(() => void synchronize().catch(() => {}), intervalMs);
  timer.unref();
  return { now: () => Math.round(origin + performance.now()), stop: () => clearInterval(timer) };
}

/** Returns the time of the database, in milliseconds since 1970. */
export async function readPostgresTime(db: Database): Promise<number> {
  const { rows } = await sql<{
    time: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`.execute(db);
  return rows[0]?.time ?? Number.NaN;
}
