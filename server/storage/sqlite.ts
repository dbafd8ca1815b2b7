import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { explained, isLocked } from './sqlite-errors.ts';
import { preparedOnce } from './sqlite-statements.ts';
import { type Store, StoreUnavailable } from './store.ts';

export interface SqliteOptions {
  /** How long a write waits for another program that holds the lock. */
  lockWaitMs?: number;
}

/**
 * Opens the embedded database, makes it where there is none, and brings it to the newest schema.
 * Readers have a connection of their own: in WAL mode they never wait for the writer.
 */
export async function openSqlite(file: string, { lockWaitMs = 5_000 }: SqliteOptions = {}): Promise<Store> {
  const { writer, reader, together, write, finish } = await openConnections(file, lockWaitMs).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${file} cannot be used as a database: ${why}.`, { cause: error });
    },
  );

  let open = true;
  const inWork = new Set<Promise<unknown>>();
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!open) throw new StoreUnavailable('The database is closed.');
    const working = work();
    const over = working.catch(() => {});
    inWork.add(over);
    try {
      return await working;
    } catch (error) {
      throw explained(error);
    } finally {
      inWork.delete(over);
    }
  };
  const inOneMoment = oneAfterTheOther(together);
  return {
    read: (work) => use(() => work(reader.db)),
    readTogether: (work) => use(() => inOneMoment(work)),
    write: (work) => use(() => write(work)),
    async close() {
      if (!open) return;
      open = false;
      await finish();
      await Promise.all(inWork);
      reader.raw.close();
      together.raw.close();
      // The last connection that closes moves what the log holds into the file.
      writer.raw.close();
    },
  };
}

async function openConnections(file: string, lockWaitMs: number) {
  mkdirSync(dirname(file), { recursive: true });
  const writer = connect(file);
  const { write, finish } = groupCommit(writer.raw, writer.db, { lockWaitMs, isLocked });
  try {
    await write((db) => migrate(db, 'sqlite'));
  } catch (error) {
    writer.raw.close();
    throw error;
  }
  return { writer, reader: connect(file, true), together: connect(file, true), write, finish };
}

const openingWaitMs = 5_000;

function connect(file: string, readOnly = false): { raw: DatabaseSync; db: Kysely<Schema> } {
  // Two programs may open a new file at the same moment; the time-out is for that alone.
  const raw = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: openingWaitMs });
  // FULL: a commit is on the disk before anyone is told so, whatever happens to the machine.
  if (!readOnly) raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
  else raw.exec('PRAGMA busy_timeout = 50');
  raw.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
  return { raw, db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: preparedOnce(raw) }) }) };
}

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
