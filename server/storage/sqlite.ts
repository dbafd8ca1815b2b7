import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { type Store, StoreUnavailable, UniqueViolation } from './store.ts';

export interface SqliteOptions {
  /** How long a write waits for another program that holds the lock. */
  lockWaitMs?: number;
}

/**
 * Opens the embedded database, makes it where there is none, and brings it to the newest schema.
 * Readers have a connection of their own: in WAL mode they never wait for the writer.
 */
export async function openSqlite(file: string, { lockWaitMs = 5_000 }: SqliteOptions = {}): Promise<Store> {
  const { writer, reader, write, finish } = await openConnections(file, lockWaitMs).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${file} cannot be used as a database: ${why}.`, { cause: error });
    },
  );

  let open = true;
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!open) throw new StoreUnavailable('The database is closed.');
    try {
      return await work();
    } catch (error) {
      throw explained(error);
    }
  };
  return {
    read: (work) => use(() => work(reader.db)),
    write: (work) => use(() => write(work)),
    async close() {
      if (!open) return;
      open = false;
      await finish();
      reader.raw.close();
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
  return { writer, reader: connect(file, true), write, finish };
}

const openingWaitMs = 5_000;

function connect(file: string, readOnly = false): { raw: DatabaseSync; db: Kysely<Schema> } {
  // Two programs may open a new file at the same moment; the time-out is for that alone.
  const raw = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: openingWaitMs });
  // FULL: a commit is on the disk before anyone is told so, whatever happens to the machine.
  if (!readOnly) raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
  else raw.exec('PRAGMA busy_timeout = 50');
  raw.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
  return { raw, db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: adapted(raw) }) }) };
}

// More shapes of statements than these come from lists of values of changing length.
const keptStatements = 500;

/** node:sqlite as Kysely's dialect wants it, with its statements prepared once. */
function adapted(raw: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof statement>>();
  const statement = (prepared: StatementSync) => ({
    reader: prepared.columns().length > 0,
    all: (parameters: readonly unknown[]) => explaining(() => prepared.all(...bound(parameters))),
    run: (parameters: readonly unknown[]) => explaining(() => prepared.run(...bound(parameters))),
    iterate: (parameters: readonly unknown[]) => prepared.iterate(...bound(parameters)),
  });
  return {
    prepare(sql: string) {
      const known = statements.get(sql);
      if (known) return known;
      const [oldest] = statements.keys();
      if (statements.size >= keptStatements && oldest !== undefined) statements.delete(oldest);
      const made = statement(raw.prepare(sql));
      statements.set(sql, made);
      return made;
    },
    close: () => raw.close(),
  };
}

function bound(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((parameter) => {
    if (parameter === null || ['string', 'number', 'bigint'].includes(typeof parameter))
      return parameter as SQLInputValue;
    if (parameter instanceof Uint8Array) return parameter;
    throw new TypeError(`SQLite cannot store a ${typeof parameter}.`);
  });
}

// https://sqlite.org/rescode.html
const codes = { busy: 5, locked: 6, readonly: 8, ioError: 10, full: 13, cannotOpen: 14 };
const uniqueCodes = [1555, 2067];

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** The low byte says what happened, the rest which kind of it. */
const isLocked = (error: unknown): boolean => [codes.busy, codes.locked].includes(codeOf(error) & 0xff);

function explaining<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (uniqueCodes.includes(code)) return new UniqueViolation('A unique value is taken.', { cause: error });
  if (Object.values(codes).includes(code & 0xff))
    return new StoreUnavailable('The database cannot be used at the moment.', { cause: error });
  return error;
}
