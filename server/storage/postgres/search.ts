import { type RawBuilder, sql } from 'kysely';
import { createFairQueue, runInTurn } from '../../lib/fair-queue.ts';
import { type ContactSearch, holds, SearchTooLong, type SearchWindow, searchTimeoutMs } from '../search.ts';
import type { Database } from '../store.ts';
import { isServerError } from './errors.ts';

/**
 * Creates an index of the trigrams of each company's contacts. Both extensions are part of PostgreSQL, and users with
 * the CREATE privilege may enable them. pg_trgm can find a word by its first one or two characters (D21), because
 * control characters that mark the beginning of a word precede them in the pattern.
 */
export async function createPostgresSearchIndex(db: Database): Promise<void> {
  for (const extension of ['pg_trgm', 'btree_gin'])
    await sql`create extension if not exists ${sql.raw(extension)}`.execute(db);
  // Every search scans the pending entries of the index, so their size is limited to 512 KiB instead of the default of
  // 4 MiB. This costs writers little.
  await sql`create index contacts_search on contacts using gin (company_id, search_text gin_trgm_ops)
    with (gin_pending_list_limit = 512) where deleted_at is null`.execute(db);
}

// Number of contacts that are read in order of ID, to find frequent matches.
const walked = 1_000;

/**
 * Finds frequent matches by reading the first contacts in order of ID, and rare matches with the index, which returns
 * them in no particular order. Neither way reads many rows.
 */
export async function findInPostgres(
  db: Database,
  search: ContactSearch,
  window: SearchWindow,
): Promise<number[]> {
  const { limit, offset, after = 0 } = window;
  const wanted = limit + offset;
  return withinSearchTime(db, search, async (held, startedAt) => {
    const { rows: early } = await sql<{ id: number }>`
      select id from (select id, search_text from contacts
        where company_id = ${search.companyId} and deleted_at is null and id > ${after} order by id limit ${walked}) as first
      where ${holds(search, standsIn)} limit ${wanted}`.execute(held);
    const found =
      early.length === wanted ? early.slice(offset) : await findByIndex(held, search, window, startedAt);
    return found.map(({ id }) => id);
  });
}

async function findByIndex(
  held: Database,
  search: ContactSearch,
  { limit, offset, after = 0 }: SearchWindow,
  startedAt: number,
): Promise<{ id: number }[]> {
  await limitTime(held, searchTimeoutMs - (performance.now() - startedAt));
  const { rows } = await sql<{ id: number }>`
    with found as materialized (select id from contacts where ${isFound(search)})
    select id from found where id > ${after} order by id limit ${limit} offset ${offset}`.execute(held);
  return rows;
}

export async function countInPostgres(db: Database, search: ContactSearch): Promise<number> {
  return withinSearchTime(db, search, async (held) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from contacts where ${isFound(search)}`.execute(held);
    return Number(rows[0]?.count);
  });
}

const isFound = (search: ContactSearch): RawBuilder<boolean> =>
  sql<boolean>`company_id = ${search.companyId} and deleted_at is null and ${holds(search, isLike)}`;

// Only LIKE patterns can use the index. Without the index, `strpos` is faster.
const isLike = (part: string) => sql`search_text like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;
const standsIn = (part: string) => sql`strpos(search_text, ${part}) > 0`;

const canceled = '57014';

// Limits the concurrent searches of a process, because each occupies a connection.
const queue = createFairQueue({ max: 3, maxPerKey: 1, waitMs: searchTimeoutMs });

const tooManyRun = (): Error => new SearchTooLong('Too many searches run already.');

/**
 * Runs a search in a transaction with a time limit.
 * @throws SearchTooLong if the search, or waiting for other searches, exceeds the time limit
 */
function withinSearchTime<T>(
  db: Database,
  { companyId }: ContactSearch,
  work: (held: Database, startedAt: number) => Promise<T>,
): Promise<T> {
  const search = async () => {
    const startedAt = performance.now();
    try {
      return await db
        .transaction()
        .setAccessMode('read only')
        .execute(async (held) => {
          await limitTime(held, searchTimeoutMs);
          return work(held, startedAt);
        });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (isServerError(cause) && cause.code === canceled)
        throw new SearchTooLong('The search takes too long.', { cause: error });
      throw error;
    }
  };
  return runInTurn(queue, String(companyId), search, tooManyRun);
}

/** Sets the statement timeout, and makes the planner plan for the actual parameters. */
async function limitTime(held: Database, ms: number): Promise<void> {
  // A generic plan does not know whether the index can be used, and a sequential scan is slow.
  await sql`select set_config('statement_timeout', ${String(Math.max(1, Math.floor(ms)))}, true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(held);
}
