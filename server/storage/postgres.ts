import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import { trackWork } from './in-work.ts';
import { migrate, NotMade, pendingSteps } from './migrate.ts';
import { explained, WriteConflict } from './postgres-errors.ts';
import { whyNot } from './postgres-refusals.ts';
import { preparedOnce } from './postgres-statements.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';

export interface PostgresOptions {
  /** Whether a schema may be made in a database that is empty. */
  mayCreate?: boolean;
  /** How many connections there are at the most. */
  poolSize?: number;
  /** How long a write waits for another that holds a lock. */
  lockWaitMs?: number;
  /** How long it may take to connect, and to wait for a connection that others use. */
  connectMs?: number;
  /** How long a statement may take beside waiting for locks. */
  statementMs?: number;
  /** How much later we give up by ourselves, where the database does not say that something took too long. */
  silenceMs?: number;
}

const usual = {
  mayCreate: true,
  poolSize: 10,
  lockWaitMs: 10_000,
  connectMs: 5_000,
  statementMs: 10_000,
  silenceMs: 5_000,
};

// A schema is changed, or a database filled, for as long as it takes.
const unlimited = { lockWaitMs: 0, statementMs: 0 };

/**
 * Which steps of the schema a database still needs. Nothing is written.
 * @throws Error that says why it cannot be used
 */
export async function pendingInPostgres(url: string): Promise<string[]> {
  const { db } = connect(url, { ...usual, poolSize: 1 });
  try {
    await refuseUnfit(db);
    return await pendingSteps(db, 'postgres');
  } catch (error) {
    throw new Error(whyNot(error), { cause: error });
  } finally {
    await db.destroy();
  }
}

/**
 * Opens a database of PostgreSQL and brings it to the newest schema.
 * @throws NotMade, or Error that says why it cannot be used
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const times = { ...usual, ...options };
  try {
    const patient = connect(url, { ...times, ...unlimited, poolSize: 1 });
    try {
      await refuseUnfit(patient.db);
      await inTransaction(patient.db, (db) => migrate(db, 'postgres', times));
    } finally {
      await patient.db.destroy();
    }
  } catch (error) {
    throw error instanceof NotMade ? error : new Error(whyNot(error), { cause: error });
  }

  const { db } = connect(url, times);
  const work = trackWork(explained);
  return {
    read: (reading) => work.use(() => reading(db)),
    readTogether: (reading) =>
      work.use(() =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute((held) => reading(held)),
      ),
    write: (writing) => work.use(() => untilInOrder(() => inTransaction(db, writing))),
    async close() {
      if (!work.close()) return;
      await work.ended();
      await db.destroy();
    },
  };
}

const inTransaction = <T>(db: Kysely<Schema>, work: (db: Kysely<Schema>) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setAccessMode('read write')
    .execute((held) => work(held));

const mostTries = 5;
const longestPauseMs = 50;

/** Locks are taken in one order, so this is for what nobody has thought of. */
async function untilInOrder<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === mostTries) throw error;
    }
    await wait(randomInt(longestPauseMs));
  }
}

type Times = Required<PostgresOptions>;

function connect(url: string, { poolSize, connectMs, statementMs, lockWaitMs, silenceMs }: Times) {
  const answerMs = statementMs === 0 ? 0 : statementMs + lockWaitMs;
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    statement_timeout: answerMs,
    lock_timeout: lockWaitMs,
    idle_in_transaction_session_timeout: statementMs || usual.statementMs,
    query_timeout: answerMs === 0 ? 0 : answerMs + silenceMs,
    keepAlive: true,
    application_name: 'parley',
    // What only reads cannot write by mistake: a transaction that writes says so.
    options: [new URL(url).searchParams.get('options'), '-c default_transaction_read_only=on']
      .filter(Boolean)
      .join(' '),
    types: { getTypeParser: parserOf },
  });
  // A connection that breaks is replaced when somebody needs one. Its errors come at any time, also between two
  // statements, and one that nobody listens to would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparedOnce(pool) }) }) };
}

// Ids and moments are below 2^53 (D01).
const parserOf: typeof types.getTypeParser = (type, format) =>
  type === types.builtins.INT8 ? Number : types.getTypeParser(type, format);

const oldest = 130_000;

/** @throws Error where the database cannot keep what Parley stores */
async function refuseUnfit(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding`.execute(db);
  const { version = 0, encoding } = rows[0] ?? {};
  if (version < oldest) throw new Error('PostgreSQL 13 or newer is needed.');
  if (encoding !== 'UTF8')
    throw new Error(
      `its encoding is ${encoding}. Make one with: create database parley encoding 'UTF8' template template0`,
    );
}
