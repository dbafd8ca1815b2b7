import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type KyselyPlugin, SelectQueryNode, SqliteDialect } from 'kysely';
import { createDeliveryNotifier } from '../delivery-notifier.ts';
import { trackInFlight } from '../in-flight.ts';
import { pendingMigrations, runMigrations } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { createCorruptionGuard, isTruncated, rollBackUnfinishedCreation } from './corruption.ts';
import { describeOpenError, isLocked, toStoreError } from './errors.ts';
import { type CommitGuard, groupCommit } from './group-commit.ts';
import { purgeDeletedPages } from './purge-deleted.ts';
import { preparedOnce } from './statements.ts';

export interface SqliteOptions {
  /** How long a write waits for another program that holds the lock. */
  lockWaitMs?: number;
  /** How many writes may share a commit. */
  maxBatchSize?: number | undefined;
}

/**
 * Opens the embedded database, makes it where there is none, and brings it to the newest schema.
 * Readers have a connection of their own: in WAL mode they never wait for the writer.
 */
export async function openSqlite(
  file: string,
  { lockWaitMs = 5_000, maxBatchSize }: SqliteOptions = {},
): Promise<Store> {
  const corruption = createCorruptionGuard(file);
  const { writer, reader, together, write, finish, waiting } = await openConnections(file, {
    lockWaitMs,
    maxBatchSize,
    guard: { refuse: corruption.refuse, notice: (error) => corruption.notice(toStoreError(error)) },
  }).catch((error: unknown) => {
    throw new Error(describeOpenError(error), { cause: error });
  });

  const { use, close, ended, count } = trackInFlight((error) => corruption.notice(toStoreError(error)));
  // Nobody begins what will not be committed.
  const writeSound: typeof write = (work) => {
    corruption.refuse();
    return write(work);
  };
  const inOneMoment = oneAfterTheOther(together);
  const notifier = createDeliveryNotifier();
  return {
    read: (work) => use(() => work(reader.db)),
    readSnapshot: (work) => use(() => inOneMoment(work)),
    write: notifier.after((work) => use(() => writeSound(work))),
    onDeliveriesEnqueued: notifier.listen,
    purgeDeleted: () => purgeDeletedPages(file, (work) => use(() => writeSound(work))),
    checkIntegrity: corruption.checkIntegrity,
    health: () => ({
      isReachable: !corruption.isKnown(),
      isCorrupted: corruption.isKnown(),
      inFlight: count() - waiting(),
      waiting: waiting(),
    }),
    async close() {
      if (!close()) return;
      await corruption.close();
      await finish();
      await ended();
      // The last connection that closes moves what the log holds into the file: not into one that is damaged, and one that
      // only reads does not.
      const last = corruption.isKnown() ? [writer, reader, together] : [reader, together, writer];
      for (const { raw } of last) raw.close();
    },
  };
}

async function openConnections(
  file: string,
  options: { lockWaitMs: number; maxBatchSize: number | undefined; guard: CommitGuard },
) {
  if (existsSync(file)) await lookAt(file);
  else {
    mkdirSync(dirname(file), { recursive: true });
    // What customers say is for the owner's eyes; the log gets the same rights.
    closeSync(openSync(file, 'a', 0o600));
  }
  const writer = connect(file);
  const { write, finish, waiting } = groupCommit(writer.raw, writer.db, { ...options, isLocked });
  try {
    await write(async (db) => {
      await runMigrations(db, 'sqlite');
      // Whether the disk takes anything is known now, and not when a customer writes.
      writer.raw.exec(`PRAGMA user_version = ${Date.now() % 2 ** 31}`);
    });
  } catch (error) {
    writer.raw.close();
    throw error;
  }
  return { writer, reader: connect(file, true), together: connect(file, true), write, finish, waiting };
}

/**
 * Reads what a file holds before anything is written to it: opening a database for writing changes it.
 * @throws IncompatibleDatabase, or what SQLite says of it
 */
async function lookAt(file: string): Promise<string[]> {
  // SQLite would call it a fault of the disk.
  if (statSync(file).isDirectory()) throw new Error('it is a folder, and no file.');
  rollBackUnfinishedCreation(file);
  if (await isTruncated(file)) throw new Error('it is damaged: its end is missing. Is there a backup?');
  const { raw, db } = connect(file, true);
  try {
    return await pendingMigrations(db, 'sqlite');
  } finally {
    raw.close();
  }
}

/**
 * Which steps of the schema a file still needs. Nothing is written.
 * @throws Error that says why it cannot be used
 */
export async function pendingInSqlite(file: string): Promise<string[]> {
  return lookAt(file).catch((error: unknown) => {
    throw new Error(describeOpenError(error), { cause: error });
  });
}

const openingWaitMs = 5_000;

function connect(file: string, readOnly = false): { raw: DatabaseSync; db: Kysely<Schema> } {
  // Two programs may open a new file at the same moment; the time-out is for that alone.
  const raw = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: openingWaitMs });
  try {
    // FULL: a commit is on the disk before anyone is told so, whatever happens to the machine.
    if (!readOnly) raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
    // What is deleted is written over: a person's words must not stay in the file where nothing shows them any more.
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

/** A writer is alone, so nothing has to be locked; nor does SQLite know the words for it. */
export const withoutLocks: KyselyPlugin = {
  transformQuery({ node }) {
    if (!SelectQueryNode.is(node) || !node.endModifiers) return node;
    const { endModifiers: _locks, ...unlocked } = node;
    return unlocked;
  },
  transformResult: async ({ result }) => result,
};

/** Work that begins a reading transaction on a connection, one after the other: in WAL mode it keeps seeing its beginning. */
function oneAfterTheOther({ raw, db }: ReturnType<typeof connect>) {
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
