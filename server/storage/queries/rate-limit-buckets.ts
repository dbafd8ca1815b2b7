import { sql } from 'kysely';
import type { Database } from '../store.ts';

/** A limit that all processes share. */
export interface SharedLimit {
  name: string;
  perMinute: number;
  burst: number;
}

/** Tokens taken from a bucket since the time `since`, in milliseconds since 1970. */
export interface Spent {
  key: string;
  cost: number;
  since: number;
}

/** The level of a bucket at the time `at`; negative if the bucket is overdrawn. */
export interface SharedBucket {
  key: string;
  level: number;
  at: number;
}

// Levels are stored in thousandths, as integers.
const part = 1_000;

const partsOf = (cost: number): number => Math.round(cost * part);

// Several processes together can overdraw a bucket, at most by the refill of this many minutes (D33).
const maxOwedMinutes = 5;

// A stored time that is further ahead than this comes from a wrong clock and is replaced.
const maxAheadMs = 60_000;

/**
 * Subtracts tokens that a process has used from the levels of the shared buckets, and returns the new levels. A level
 * is capped at the burst only after adding the refill and subtracting the tokens, because the tokens were used while
 * the bucket was refilled.
 * @param now milliseconds since 1970; a bucket whose stored time is later is not refilled
 */
export async function spendFromBuckets(
  db: Database,
  limit: SharedLimit,
  spent: readonly Spent[],
  now: number,
): Promise<SharedBucket[]> {
  const full = limit.burst * part;
  const least = -maxOwedMinutes * limit.perMinute * part;
  const comesIn = (ms: number): number => Math.trunc((ms * limit.perMinute) / (60_000 / part));
  const rows = spent.map(({ key, cost, since }) => ({
    limit_name: limit.name,
    key,
    level: Math.max(least, Math.min(full, full + comesIn(Math.max(0, now - since)) - partsOf(cost))),
    at: now,
    spent: partsOf(cost),
  }));
  const passed = sql`(case when excluded.at > rate_buckets.at then excluded.at - rate_buckets.at else 0 end)`;
  const left = sql`rate_buckets.level + ${passed} * ${sql.lit(limit.perMinute)} / ${sql.lit(60_000 / part)} - excluded.spent`;
  const [most, fewest] = [sql.lit(full), sql.lit(least)];
  const isOlder = sql`(excluded.at > rate_buckets.at or rate_buckets.at - excluded.at > ${sql.lit(maxAheadMs)})`;
  const made = await db
    .insertInto('rate_buckets')
    // Locking rows in one global order prevents deadlocks.
    .values(rows.sort((one, other) => (one.key < other.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.columns(['limit_name', 'key']).doUpdateSet({
        level: sql<number>`case when ${left} > ${most} then ${most} when ${left} < ${fewest} then ${fewest} else ${left} end`,
        at: sql<number>`case when ${isOlder} then excluded.at else rate_buckets.at end`,
        spent: sql<number>`excluded.spent`,
      }),
    )
    .returning(['key', 'level', 'at'])
    .execute();
  return made.map(({ key, level, at }) => ({ key, level: level / part, at }));
}

/** Deletes full buckets, which are the same as new ones. @returns their number */
export async function deleteFullBuckets(db: Database, limit: SharedLimit, now: number): Promise<number> {
  const full = sql.lit(limit.burst * part);
  const { numDeletedRows } = await db
    .deleteFrom('rate_buckets')
    .where('limit_name', '=', limit.name)
    .where(
      sql<boolean>`level + (${now} - at) * ${sql.lit(limit.perMinute)} / ${sql.lit(60_000 / part)} >= ${full}`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
