import { type RawBuilder, sql } from 'kysely';
import { DatabaseError } from 'pg';
import { type Search, SearchTooLong, searchMs, type Window } from './search.ts';
import type { Database } from './store.ts';

/**
 * Trigrams of each word, by company. Both extensions come with PostgreSQL, and whoever may create something
 * in a database may add them to it. pg_trgm finds a short word by its beginning, as D21 wants it: what stands
 * before it in a pattern is the mark of a beginning, which is no letter.
 */
export async function makePostgresSearchIndex(db: Database): Promise<void> {
  for (const extension of ['pg_trgm', 'btree_gin'])
    await sql`create extension if not exists ${sql.raw(extension)}`.execute(db);
  // What was written last waits in a list that every search reads through: in KiB, a tenth of what is usual costs
  // those who write little, and leaves a search next to nothing to read.
  await sql`create index contacts_search on contacts using gin (company_id, search_text gin_trgm_ops)
    with (gin_pending_list_limit = 512) where deleted_at is null`.execute(db);
}

// A contact of a company, looked at one after the other: what many of them hold is found among the first.
const walked = 1_000;

/**
 * What many contacts hold is found by looking at the first of them in their order; what few hold, by the index,
 * which cannot give them in an order. Neither has to look at very many.
 */
export async function findInPostgres(
  db: Database,
  search: Search,
  { limit, offset }: Window,
): Promise<number[]> {
  return withinSearchTime(db, async (held) => {
    const { companyId } = search;
    const { rows: first } = await sql<{ id: number; found: boolean }>`
      select id, coalesce(${holds(search, standsIn)}, false) as found from contacts
      where company_id = ${companyId} and deleted_at is null order by id limit ${walked}`.execute(held);
    const ids = first.filter(({ found }) => found).map(({ id }) => id);
    if (ids.length < limit + offset && first.length === walked) {
      const { rows: others } = await sql<{ id: number }>`
        with found as materialized (select id from contacts where ${isFound(search)})
        select id from found where id > ${first.at(-1)?.id ?? 0}
        order by id limit ${limit + offset - ids.length}`.execute(held);
      ids.push(...others.map(({ id }) => id));
    }
    return ids.slice(offset, offset + limit);
  });
}

export const countInPostgres = (db: Database, search: Search): Promise<number> =>
  withinSearchTime(db, async (held) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from contacts where ${isFound(search)}`.execute(held);
    return Number(rows[0]?.count);
  });

const isFound = (search: Search): RawBuilder<boolean> =>
  sql<boolean>`company_id = ${search.companyId} and deleted_at is null and ${holds(search, isLike)}`;

// The index knows patterns only; without it, looking for the part itself is faster.
const isLike = (part: string) => sql`search_text like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;
const standsIn = (part: string) => sql`strpos(search_text, ${part}) > 0`;

/** Every part of an alternative stands somewhere in the text. */
function holds({ anyOf }: Search, stands: typeof isLike): RawBuilder<boolean> {
  const alternatives = anyOf.map((allOf) => sql`(${sql.join(allOf.map(stands), sql` and `)})`);
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

const canceled = '57014';

// So many connections may be busy with searches; the others are for requests that take less.
const mostAtOnce = 4;
const waiting = new Set<() => void>();
let atWork = 0;

/** @throws SearchTooLong where others have searched for all the time that there was */
async function myTurn(): Promise<void> {
  if (atWork < mostAtOnce) {
    atWork += 1;
    return;
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    waiting.delete(resolve);
    reject(new SearchTooLong('There are too many long searches at once.'));
  }, searchMs);
  waiting.add(resolve);
  await promise.finally(() => clearTimeout(late));
}

/** Whoever has waited longest takes the place. */
function nextTurn(): void {
  const [next] = waiting;
  if (!next) atWork -= 1;
  else {
    waiting.delete(next);
    next();
  }
}

/** @throws SearchTooLong where the database has given up */
async function withinSearchTime<T>(db: Database, work: (held: Database) => Promise<T>): Promise<T> {
  await myTurn();
  try {
    return await db.transaction().execute(async (held) => {
      await sql`set local statement_timeout = ${sql.lit(searchMs)}`.execute(held);
      return work(held);
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof DatabaseError && cause.code === canceled)
      throw new SearchTooLong('The search takes too long.', { cause: error });
    throw error;
  } finally {
    nextTurn();
  }
}
