import { sql } from 'kysely';
import type { Database } from '../store.ts';

/** A limit that holds over all processes. */
export interface SharedLimit {
  name: string;
  perMinute: number;
  burst: number;
}

/** What was taken from a bucket since a moment, in milliseconds since 1970. */
export interface Spent {
  key: string;
  cost: number;
  since: number;
}

/** How much was left in a bucket at a moment; below zero where more was taken than there was. */
export interface SharedBucket {
  key: string;
  level: number;
  at: number;
}

// Levels are kept in thousandths, so that what has come in between is whole.
const part = 1_000;

// Where several processes have let pass too much at once, it is missing afterwards: but nobody owes more.
const maxOwedMinutes = 5;

// A clock that is ahead of this one by more was wrong.
const maxAheadMs = 60_000;

/**
 * Takes from buckets what a process has let pass, and tells what is left. What has come in meanwhile counts before
 * what has not fitted in is lost: it was taken bit by bit, not in the moment in which it is told.
 * @param now milliseconds since 1970; a clock that is somewhat behind those of others changes nothing
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
    level: Math.max(least, Math.min(full, full + comesIn(Math.max(0, now - since)) - cost * part)),
    at: now,
    spent: cost * part,
  }));
  const passed = sql`(case when excluded.at > rate_buckets.at then excluded.at - rate_buckets.at else 0 end)`;
  const left = sql`rate_buckets.level + ${passed} * ${sql.lit(limit.perMinute)} / ${sql.lit(60_000 / part)} - excluded.spent`;
  const [most, fewest] = [sql.lit(full), sql.lit(least)];
  const isOlder = sql`(excluded.at > rate_buckets.at or rate_buckets.at - excluded.at > ${sql.lit(maxAheadMs)})`;
  const made = await db
    .insertInto('rate_buckets')
    // Whoever takes rows in one order waits for nobody who waits for him.
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

/** Forgets buckets that are full again: as good as new ones. @returns how many */
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
