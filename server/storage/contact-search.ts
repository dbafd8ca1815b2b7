import { sql } from 'kysely';
import { type ContactWithValues, withValues } from './contacts.ts';
import { holds, isDecidedByIndex, mayMatch, oneOf } from './sqlite-search.ts';
import type { Database } from './store.ts';

/** What is to be found: all parts of at least one of the alternatives, each part anywhere in `search_text`. */
export interface Search {
  companyId: number;
  anyOf: readonly (readonly string[])[];
}

/** What a search did not find in the time that it has. */
export class SearchTooLong extends Error {}

export interface SearchPage extends Search {
  limit: number;
  offset: number;
}

/**
 * The contacts that a search finds, by id. Others are served meanwhile.
 * @throws SearchTooLong
 */
export async function searchContacts(db: Database, search: SearchPage): Promise<ContactWithValues[]> {
  const { companyId, limit, offset } = search;
  const ids: number[] = [];
  for await (const part of foundIn(db, search, limit + offset)) {
    ids.push(...part);
    if (ids.length >= limit + offset) break;
  }
  const page = ids.slice(offset, offset + limit);
  if (page.length === 0) return [];
  const contacts = db
    .selectFrom('contacts')
    .selectAll()
    .where('id', 'in', page)
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
  return withValues(db, contacts, 'asc');
}

/** How many contacts a search finds. @throws SearchTooLong */
export async function countFound(db: Database, search: Search): Promise<number> {
  if (isDecidedByIndex(search.anyOf)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from contacts_search
      where ${mayMatch(search.companyId, search.anyOf)}`.execute(db);
    return Number(rows[0]?.count);
  }
  let count = 0;
  for await (const part of foundIn(db, search)) count += part.length;
  return count;
}

// One part of the work holds up whoever else is served by this process, so it is kept this short; all parts
// together may not take a core away from the others for long, nor may many such searches at once.
const partMs = 10;
const allPartsMs = 2_000;
const shortMs = 100;
const mostLong = 2;
let long = 0;

const mostAtFirst = 1_024;

/**
 * The ids that a search finds, part by part: the index names those that may do, their texts decide. The index
 * is walked twice at the most, because it cannot begin in the middle: for somewhat more than is wanted, and,
 * where too few of them do, for all the others.
 * @param wanted how many are enough
 */
async function* foundIn(db: Database, search: Search, wanted = mostAtFirst): AsyncGenerator<number[]> {
  if (isDecidedByIndex(search.anyOf)) return yield await candidatesBehind(db, search, 0, wanted);
  const atFirst = Math.min(2 * wanted + 64, mostAtFirst);
  const first = await candidatesBehind(db, search, 0, atFirst);
  yield* holdingInParts(db, search, first);
  if (first.length === atFirst)
    yield* holdingInParts(db, search, await candidatesBehind(db, search, first.at(-1) ?? 0));
}

async function* holdingInParts(
  db: Database,
  search: Search,
  candidates: readonly number[],
): AsyncGenerator<number[]> {
  let spentMs = 0;
  let atOnce = 32;
  let isLong = false;
  try {
    for (let done = 0; done < candidates.length; ) {
      const startedAt = performance.now();
      const part = candidates.slice(done, done + atOnce);
      const found = await holding(db, search, part);
      done += part.length;
      const tookMs = performance.now() - startedAt;
      spentMs += tookMs;
      if (!isLong && spentMs > shortMs) {
        if (long >= mostLong) throw new SearchTooLong('There are too many long searches at once.');
        long += 1;
        isLong = true;
      }
      if (spentMs > allPartsMs) throw new SearchTooLong('The search takes too long.');
      yield found;
      atOnce = tookMs > partMs ? Math.max(1, atOnce >> 1) : atOnce * 2;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    if (isLong) long -= 1;
  }
}

/** The contacts that may do, by id, behind a given one: all of them unless said. */
async function candidatesBehind(
  db: Database,
  { companyId, anyOf }: Search,
  after: number,
  limit = -1,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select rowid as id from contacts_search
    where ${mayMatch(companyId, anyOf)} and rowid > ${after} order by rowid limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

async function holding(
  db: Database,
  { companyId, anyOf }: Search,
  candidates: readonly number[],
): Promise<number[]> {
  if (candidates.length === 0) return [];
  const rows = await db
    .selectFrom('contacts')
    .select('id')
    .where('id', 'in', oneOf(candidates))
    .where('company_id', '=', companyId)
    .where(holds(anyOf))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Live contacts whose `search_text` was never made, of any company: work of the service itself. */
export function listContactsWithoutSearchText(
  db: Database,
  limit: number,
): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('contacts')
    .select(['company_id', 'id'])
    .where('search_text', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute();
}
