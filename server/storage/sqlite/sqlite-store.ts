import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type KyselyPlugin, SelectQueryNode, SqliteDialect } from 'kysely';
import { trackInFlight } from '../in-flight.ts';
import { pendingMigrations, runMigrations } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { createCorruptionGuard, isCutOff, rollBackUnfinishedCreation } from './corruption.ts';
import { describeOpenError, isLocked, sqliteToStoreError } from './errors.ts';
import { type CommitGuard, groupCommit } from './group-commit.ts';
import { purgeDeletedPages } from './purge-deleted.ts';
import { preparedOnce } from './statements.ts';

export interface SqliteOptions {
  /** Maximum wait of a write for another process's lock, in milliseconds. */
  lockWaitMs?: number;
}

/**
 * Opens the embedded database, creates it if it does not exist, and migrates it. Reads have their own connection,
 * which never waits for the writer in WAL mode.
 */
export async function openSqlite(file: string, { lockWaitMs = 5_000 }: SqliteOptions = {}): Promise<Store> {
  const corruption = createCorruptionGuard(file);
  const { writer, reader, snapshotReader, write, finish, waiting } = await openConnections(file, {
    lockWaitMs,
    guard: { refuse: corruption.refuse, notice: (error) => corruption.notice(sqliteToStoreError(error)) },
  }).catch((error: unknown) => {
    throw new Error(describeOpenError(error), { cause: error });
  });

  const { use, isOpen, close, ended } = trackInFlight((error) =>
    corruption.notice(sqliteToStoreError(error)),
  );
  // If the file is known to be corrupted, writes are rejected before they run, because they could not be committed.
  const writeUnlessCorrupted: typeof write = (work) =>
    use(() => {
      corruption.refuse();
      return write(work);
    });
  const inSnapshot = serializeReads(snapshotReader);
  return {
    read: (work) => use(() => work(reader.db)),
    readSnapshot: (work) => use(() => inSnapshot(work)),
    // All writes share commits, and need no locks.
    ...{ write: writeUnlessCorrupted, writeInGroup: writeUnlessCorrupted },
    purgeDeleted: () => purgeDeletedPages(file, writeUnlessCorrupted),
    checkIntegrity: corruption.checkIntegrity,
    health: () => ({
      state: corruption.isKnown() ? 'damaged' : isOpen() ? 'ok' : 'away',
      waiting: waiting(),
    }),
    async close() {
      if (!close()) return;
      await corruption.close();
      await finish();
      await ended();
      // The connection that closes last copies the write-ahead log into the file, unless it is read-only. A corrupted
      // file must not change, so a read-only connection closes last.
      const last = corruption.isKnown() ? [writer, reader, snapshotReader] : [reader, snapshotReader, writer];
      for (const { raw } of last) raw.close();
    },
  };
}

async function openConnections(file: string, options: { lockWaitMs: number; guard: CommitGuard }) {
  if (existsSync(file)) await inspectFile(file);
  else {
    mkdirSync(dirname(file), { recursive: true });
    // Only the owner can read the file. SQLite gives the write-ahead log the same permissions.
    closeSync(openSync(file, 'a', 0o600));
  }
  const writer = connect(file);
  const { write, finish, waiting } = groupCommit(writer.raw, writer.db, { ...options, isLocked });
  try {
    await write(async (db) => {
      await runMigrations(db);
      // On a full disk, this write fails while the database is opened, not during the first request that writes.
      writer.raw.exec(`PRAGMA user_version = ${Date.now() % 2 ** 31}`);
    });
  } catch (error) {
    writer.raw.close();
    throw error;
  }
  return { writer, reader: connect(file, true), snapshotReader: connect(file, true), write, finish, waiting };
}

/**
 * Checks that a file is a usable database, before it is opened for writing, which would change it.
 * @returns the pending migrations
 * @throws IncompatibleDatabase, an error of SQLite, or an Error that names the problem
 */
async function inspectFile(file: string): Promise<string[]> {
  // For a folder, SQLite would report a disk error.
  if (statSync(file).isDirectory()) throw new Error('it is a folder, not a file.');
  rollBackUnfinishedCreation(file);
  const { raw, db } = connect(file, true);
  try {
    const pending = await pendingMigrations(db);
    if (isCutOff(raw)) throw new Error('it is corrupted: its end is missing. Restore a backup.');
    return pending;
  } finally {
    raw.close();
  }
}

/**
 * Returns the migrations that a database file lacks, without running them.
 * @throws Error that explains why the file cannot be used
 */
export async function pendingInSqlite(file: string): Promise<string[]> {
  return inspectFile(file).catch((error: unknown) => {
    throw new Error(describeOpenError(error), { cause: error });
  });
}

const openingWaitMs = 5_000;

function connect(file: string, readOnly = false): { raw: DatabaseSync; db: Kysely<Schema> } {
  // Two processes may create a file at the same time, so opening it waits for a lock. The PRAGMA statements below then
  // shorten the timeout.
  const raw = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: openingWaitMs });
  try {
    // FULL: a commit is on disk before it is reported.
    if (!readOnly) raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
    // Deleted data is overwritten, because it may be personal data.
    if (!readOnly) raw.exec('PRAGMA secure_delete = ON');
    else raw.exec('PRAGMA busy_timeout = 50');
    raw.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
  } catch (error) {
    raw.close();
    throw error;
  }
  const dialect = new SqliteDialect({ database: preparedOnce(raw) });
  return { raw, db: new Kysely<Schema>({ dialect, plugins: [withoutLocks] }) };
}

/** Removes row locks from queries: SQLite has no syntax for them, and does not need them with only one writer. */
export const withoutLocks: KyselyPlugin = {
  transformQuery({ node }) {
    if (!SelectQueryNode.is(node) || !node.endModifiers) return node;
    const { endModifiers: _locks, ...unlocked } = node;
    return unlocked;
  },
  transformResult: async ({ result }) => result,
};

/** Runs read transactions one after another on one connection. In WAL mode, each sees a consistent snapshot. */
function serializeReads({ raw, db }: ReturnType<typeof connect>) {
  let turn: Promise<unknown> = Promise.resolve();
  return <T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      raw.exec('BEGIN');
      try {
        return await work(db);
      } finally {
        raw.exec('COMMIT');
      }
    });
    turn = mine.catch(() => {});
    return mine;
  };
}
