import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Store } from '../store.ts';

// So many pages of the index in one transaction; the service writes in between.
const pagesAtOnce = 64;

// A reader that is in the middle of something keeps the log from being emptied.
const pauseMs = 20;
const patienceMs = 10_000;

/**
 * Brings what was deleted out of the file and its log. Rows are written over when they are deleted; the index of the
 * search only notes what has gone, until its parts are put together, and the log keeps what was written once.
 * @throws Error where somebody reads for so long that the log cannot be emptied
 */
export async function purgeDeletedPages(file: string, write: Store['write']): Promise<boolean> {
  // Below zero: all parts of the index become one, however well they lie.
  let pages = -pagesAtOnce;
  while (await write((db) => mergeSearch(db, pages))) pages = pagesAtOnce;
  const raw = new DatabaseSync(file, { timeout: 0 });
  try {
    const until = performance.now() + patienceMs;
    while (raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) {
      if (performance.now() > until)
        throw new Error(
          'Somebody reads from the database without an end: what was erased is still in its log (-wal). Run it again.',
        );
      await wait(pauseMs);
    }
  } finally {
    raw.close();
  }
  return true;
}

/** @returns whether there is more to be put together */
async function mergeSearch(db: Database, pages: number): Promise<boolean> {
  const before = await changes(db);
  await sql`insert into contacts_search (contacts_search, rank) values ('merge', ${pages})`.execute(db);
  // FTS5: where it changed less than two rows, there was nothing left to do.
  return (await changes(db)) - before >= 2;
}

async function changes(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db);
  return rows[0]?.count ?? 0;
}
