import { type RawBuilder, sql } from 'kysely';
import { type ContactSearch, holds, SearchTooLong, type SearchWindow, searchTimeoutMs } from '../search.ts';
import type { Database } from '../store.ts';
import { isDecidedByIndex, mayMatch } from './search-index.ts';

/** Returns the IDs of matching contacts in ascending order. Reads texts in batches, so that other work can run. */
export async function findInSqlite(
  db: Database,
  search: ContactSearch,
  { limit, offset, after = 0 }: SearchWindow,
): Promise<number[]> {
  let ids: number[] = [];
  for await (const part of foundIn(db, search, limit + offset, after)) {
    ids = ids.concat(part);
    if (ids.length >= limit + offset) break;
  }
  return ids.slice(offset, offset + limit);
}

export async function countInSqlite(db: Database, search: ContactSearch): Promise<number> {
  if (isDecidedByIndex(search.anyOf)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from contacts_search
      where ${mayMatch(search.companyId, search.anyOf)}`.execute(db);
    return Number(rows[0]?.count);
  }
  let count = 0;
  for await (const part of foundIn(db, search)) count += part.length;
  return count;
}

// A query blocks the process, so texts are read in batches of about `partMs` milliseconds. A search that reads texts
// for more than `shortMs` is long, and at most `maxLong` long searches run at a time. The total time is limited too.
const partMs = 10;
const shortMs = 100;
const maxLong = 2;
let longSearches = 0;

const maxAtFirst = 1_024;

/**
 * Yields the IDs of the contacts that a search finds. The index returns candidates, whose texts are then checked. A
 * scan cannot resume, so the index is scanned at most twice: first for about twice as many candidates as wanted IDs
 * (at most `maxAtFirst`), then for all remaining candidates.
 * @param wanted number of IDs that the caller needs
 * @param start only larger IDs are yielded
 */
async function* foundIn(
  db: Database,
  search: ContactSearch,
  wanted = maxAtFirst,
  start = 0,
): AsyncGenerator<number[]> {
  if (isDecidedByIndex(search.anyOf)) return yield await candidatesAfter(db, search, start, wanted);
  const atFirst = Math.min(2 * wanted + 64, maxAtFirst);
  const first = await candidatesAfter(db, search, start, atFirst);
  yield* holdingInParts(db, search, first);
  if (first.length === atFirst)
    yield* holdingInParts(db, search, await candidatesAfter(db, search, first.at(-1) ?? 0));
}

async function* holdingInParts(
  db: Database,
  search: ContactSearch,
  candidates: readonly number[],
): AsyncGenerator<number[]> {
  let spentMs = 0;
  let atOnce = 32;
  let isLong = false;
  try {
    for (let done = 0; done < candidates.length; ) {
      const startedAt = performance.now();
      const part = candidates.slice(done, done + atOnce);
      const found = await matching(db, search, part);
      done += part.length;
      const tookMs = performance.now() - startedAt;
      spentMs += tookMs;
      if (!isLong && spentMs > shortMs) {
        if (longSearches >= maxLong) throw new SearchTooLong('Too many long searches run already.');
        longSearches += 1;
        isLong = true;
      }
      if (spentMs > searchTimeoutMs) throw new SearchTooLong('The search takes too long.');
      yield found;
      atOnce = tookMs > partMs ? Math.max(1, atOnce >> 1) : atOnce * 2;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    if (isLong) longSearches -= 1;
  }
}

/** Returns the IDs of the candidates after a given ID, in ascending order. */
async function candidatesAfter(
  db: Database,
  { companyId, anyOf }: ContactSearch,
  after: number,
  limit = -1,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select rowid as id from contacts_search
    where ${mayMatch(companyId, anyOf)} and rowid > ${after} order by rowid limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

async function matching(
  db: Database,
  { companyId, anyOf }: ContactSearch,
  candidates: readonly number[],
): Promise<number[]> {
  if (candidates.length === 0) return [];
  const rows = await db
    .selectFrom('contacts')
    .select('id')
    .where('id', 'in', oneOf(candidates))
    .where('company_id', '=', companyId)
    // Reads the texts.
    .where(holds({ anyOf }, (part) => sql`instr(search_text, ${part}) > 0`))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Passes the IDs as one parameter, so that any number of them uses the same prepared statement. */
const oneOf = (ids: readonly number[]): RawBuilder<number> =>
  sql<number>`(select value from json_each(${JSON.stringify(ids)}))`;
