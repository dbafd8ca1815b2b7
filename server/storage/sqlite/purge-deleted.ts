import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Store } from '../store.ts';

// Number of search index pages merged per transaction. The service can write between two transactions.
const pagesAtOnce = 64;

// Pause between attempts to empty the write-ahead log, and their timeout. An open read transaction blocks them.
const pauseMs = 20;
const timeoutMs = 10_000;

/**
 * Removes deleted data from the database file and its write-ahead log. SQLite overwrites deleted rows, but the search
 * index keeps deleted terms until it is merged, and the log keeps old pages until it is emptied.
 * @throws Error if a reader keeps the log from being emptied for 10 s
 */
export async function purgeDeletedPages(file: string, write: Store['write']): Promise<boolean> {
  // A negative number merges the whole index into one segment.
  let pages = -pagesAtOnce;
  while (await write((db) => mergeSearch(db, pages))) pages = pagesAtOnce;
  const raw = new DatabaseSync(file, { timeout: 0 });
  try {
    const until = performance.now() + timeoutMs;
    while (raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) {
      if (performance.now() > until)
        throw new Error(
          'A process keeps reading from the database, so erased data is still in its log (-wal). Run the command again.',
        );
      await wait(pauseMs);
    }
  } finally {
    raw.close();
  }
  return true;
}

/** @returns whether there is more to merge */
async function mergeSearch(db: Database, pages: number): Promise<boolean> {
  const before = await changes(db);
  await sql`insert into contacts_search (contacts_search, rank) values ('merge', ${pages})`.execute(db);
  // FTS5 has nothing left to merge if fewer than two rows changed.
  return (await changes(db)) - before >= 2;
}

async function changes(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db);
  return rows[0]?.count ?? 0;
}
