import { sql } from 'kysely';
import type { Database } from './store.ts';

/** A limit that holds over all processes. */
export interface SharedLimit {
  name: string;
  perMinute: number;
  burst: number;
}

/** What was taken from a bucket. */
export interface Spent {
  key: string;
  cost: number;
}

/** How much was left in a bucket at a moment; below zero where more was taken than there was. */
export interface SharedBucket {
  key: string;
  level: number;
  at: number;
}

// Levels are kept in thousandths, so that what has come in between is whole.
const part = 1_000;

/**
 * Takes from buckets what a process has let pass, and tells what is left. Where several processes have let pass too
 * much at once, less than nothing is left, but no more is owed than comes in a minute.
 * @param now milliseconds since 1970; a clock that is behind those of others changes nothing
 */
export async function spendFromBuckets(
  db: Database,
  limit: SharedLimit,
  spent: readonly Spent[],
  now: number,
): Promise<SharedBucket[]> {
  const full = limit.burst * part;
  const rows = spent.map(({ key, cost }) => ({
    limit_name: limit.name,
    key,
    level: full - cost * part,
    at: now,
  }));
  const passed = sql`(case when excluded.at > rate_buckets.at then excluded.at - rate_buckets.at else 0 end)`;
  const filled = sql`rate_buckets.level + ${passed} * ${sql.lit(limit.perMinute)} / ${sql.lit(60_000 / part)}`;
  // What is left of a full one says what was taken.
  const left = sql`(case when ${filled} < ${sql.lit(full)} then ${filled} else ${sql.lit(full)} end)
    - (${sql.lit(full)} - excluded.level)`;
  const least = sql.lit(-limit.perMinute * part);
  const made = await db
    .insertInto('rate_buckets')
    // Whoever takes rows in one order waits for nobody who waits for him.
    .values(rows.sort((one, other) => (one.key < other.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.columns(['limit_name', 'key']).doUpdateSet({
        level: sql<number>`case when ${left} > ${least} then ${left} else ${least} end`,
        at: sql<number>`case when excluded.at > rate_buckets.at then excluded.at else rate_buckets.at end`,
      }),
    )
    .returning(['key', 'level', 'at'])
    .execute();
  return made.map(({ key, level, at }) => ({ key, level: level / part, at }));
}

/** Forgets buckets that are full again: as good as new ones. @returns how many */
export async function dropFullBuckets(db: Database, limit: SharedLimit, now: number): Promise<number> {
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
