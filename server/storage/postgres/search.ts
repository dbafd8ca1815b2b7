import { type RawBuilder, sql } from 'kysely';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { type ContactSearch, SearchTooLong, type SearchWindow, searchTimeoutMs } from '../search.ts';
import type { Database } from '../store.ts';
import {
  cachedSample,
  rarestTrigrams,
  type SampledTexts,
  sampledLength,
  sampleSize,
  type TrigramSample,
} from '../trigram-statistics.ts';
import { isServerError } from './server-error.ts';

/**
 * Trigrams of each word, by company. Both extensions come with PostgreSQL, and whoever may create something
 * in a database may add them to it. pg_trgm finds a short word by its beginning, as D21 wants it: what stands
 * before it in a pattern is the mark of a beginning, which is no letter.
 */
export async function createPostgresSearchIndex(db: Database): Promise<void> {
  for (const extension of ['pg_trgm', 'btree_gin'])
    await sql`create extension if not exists ${sql.raw(extension)}`.execute(db);
  // What was written last waits in a list that every search reads through: in KiB, a tenth of what is usual costs
  // those who write little, and leaves a search next to nothing to read.
  await sql`create index contacts_search on contacts using gin (company_id, search_text gin_trgm_ops)
    with (gin_pending_list_limit = 512) where deleted_at is null`.execute(db);
}

// What many contacts hold is found among the first of them, one after the other in their order.
const walked = 1_000;

/**
 * What many contacts hold is found by looking at the first of them, what few hold by the index, which cannot give
 * them in an order. Neither has to look at very many.
 */
export async function findInPostgres(
  db: Database,
  search: ContactSearch,
  window: SearchWindow,
): Promise<number[]> {
  const { limit, offset } = window;
  const wanted = limit + offset;
  // Before a connection is held: it takes one, too, now and then.
  const sample = await cachedSample(db, takeSample);
  return withinSearchTime(db, search, async (held, startedAt) => {
    const { rows: early } = await sql<{ id: number }>`
      select id from (select id, search_text from contacts
        where company_id = ${search.companyId} and deleted_at is null order by id limit ${walked}) as first
      where ${holds(search, inText)} limit ${wanted}`.execute(held);
    const found =
      early.length === wanted
        ? early.slice(offset)
        : await findByIndex(held, search, window, { startedAt, sample });
    return found.map(({ id }) => id);
  });
}

async function findByIndex(
  held: Database,
  search: ContactSearch,
  { limit, offset }: SearchWindow,
  { startedAt, sample }: { startedAt: number; sample: TrigramSample | undefined },
): Promise<{ id: number }[]> {
  await limitTime(held, searchTimeoutMs - (performance.now() - startedAt));
  const { rows } = await sql<{ id: number }>`
    with found as materialized (select id from contacts where ${isFound(search, sample)})
    select id from found order by id limit ${limit} offset ${offset}`.execute(held);
  return rows;
}

export async function countInPostgres(db: Database, search: ContactSearch): Promise<number> {
  const sample = await cachedSample(db, takeSample);
  return withinSearchTime(db, search, async (held) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from contacts where ${isFound(search, sample)}`.execute(held);
    return Number(rows[0]?.count);
  });
}

const isFound = (search: ContactSearch, sample: TrigramSample | undefined): RawBuilder<boolean> =>
  sql<boolean>`company_id = ${search.companyId} and deleted_at is null and ${holds(search, byIndex(sample))}`;

// The index knows patterns only; without it, looking for the part itself is faster.
const isLike = (part: string) => sql`search_text like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;
const standsIn = (part: string) => sql`strpos(search_text, ${part}) > 0`;

type Condition = RawBuilder<unknown>;

const inText = (allOf: readonly string[]): Condition[] => allOf.map(standsIn);

// Whatever else stands in a pattern, the index takes it for the end of a word.
const knownToIndex = /^[\p{L}\p{N}]{3}$/u;

/** Where it is known which trigrams are rare, the index is asked for those, and the text for the rest. */
const byIndex =
  (sample: TrigramSample | undefined) =>
  (allOf: readonly string[]): Condition[] => {
    const rare = sample && rarestTrigrams(sample, allOf, (trigram) => knownToIndex.test(trigram));
    return rare ? [...rare.trigrams.map(isLike), ...inText(allOf)] : allOf.map(isLike);
  };

/** Every part of an alternative stands somewhere in the text. */
function holds(
  { anyOf }: ContactSearch,
  conditionsFor: (allOf: readonly string[]) => Condition[],
): RawBuilder<boolean> {
  const alternatives = anyOf.map((allOf) => sql`(${sql.join(conditionsFor(allOf), sql` and `)})`);
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

/** Texts of contacts from pages all over the table. */
async function takeSample(db: Database): Promise<SampledTexts> {
  const { rows: known } = await sql<{ rows: number }>`
    select greatest(reltuples, 0)::bigint as rows from pg_class where oid = 'contacts'::regclass`.execute(db);
  const rows = known[0]?.rows ?? 0;
  const percent = Math.min(100, (200 * sampleSize) / Math.max(1, rows));
  const { rows: texts } = await sql<{ company: number; text: string }>`
    select company_id as company, left(search_text, ${sql.lit(sampledLength)}) as text
    from contacts tablesample system (${sql.lit(percent)})
    where deleted_at is null and search_text is not null limit ${sql.lit(sampleSize)}`.execute(db);
  return { rows, texts };
}

const canceled = '57014';

// So many connections of a process may be busy with searches; the others are for what takes less.
const inTurn = createFairSemaphore({
  max: 3,
  maxPerCompany: 1,
  waitMs: searchTimeoutMs,
  late: () => new SearchTooLong('There are too many searches at once.'),
});

/** @throws SearchTooLong where the database has given up */
function withinSearchTime<T>(
  db: Database,
  { companyId }: ContactSearch,
  work: (held: Database, startedAt: number) => Promise<T>,
): Promise<T> {
  return inTurn(companyId, async () => {
    const startedAt = performance.now();
    try {
      return await db.transaction().execute(async (held) => {
        await limitTime(held, searchTimeoutMs);
        return work(held, startedAt);
      });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (isServerError(cause) && cause.code === canceled)
        throw new SearchTooLong('The search takes too long.', { cause: error });
      throw error;
    }
  });
}

/** How long the statements that follow may take, each; and that they are planned for what they look for. */
async function limitTime(held: Database, ms: number): Promise<void> {
  // Of a plan for any pattern it is not known whether the index can find it, and reading through all of it is slow.
  await sql`select set_config('statement_timeout', ${String(Math.max(1, Math.floor(ms)))}, true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(held);
}
