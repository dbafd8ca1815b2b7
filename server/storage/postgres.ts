import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import { trackWork } from './in-work.ts';
import { migrate, NotMade, pendingSteps } from './migrate.ts';
import { WriteConflict } from './postgres-errors.ts';
import { whyNot } from './postgres-refusals.ts';
import { preparedOnce } from './postgres-statements.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';
import { tables } from './tables.ts';
import { createTurns } from './turns.ts';

export interface PostgresOptions {
  /** Whether a schema may be made in a database that is empty. */
  mayCreate?: boolean;
  /** How many connections there are at the most. */
  poolSize?: number;
  /** How long a write waits for another that holds a lock. */
  lockWaitMs?: number;
  /** How long it may take to connect, and to wait for a connection that others use. */
  connectMs?: number;
  /** How long a statement may take. */
  statementMs?: number;
  /** How much later we give up by ourselves, where the database does not say that something took too long. */
  silenceMs?: number;
}

const longerMs = 2_000;
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
      if ((await pendingSteps(patient.db, 'postgres')).length > 0) await refuseWithoutRights(patient.db);
      await inTransaction(patient.db, async (db) => {
        // Whatever the database or the user is set to.
        await sql`set local statement_timeout = 0`.execute(db);
        await sql`set local lock_timeout = 0`.execute(db);
        await migrate(db, 'postgres', times);
      });
      await refuseForeignTables(patient.db);
    } finally {
      await patient.db.destroy();
    }
  } catch (error) {
    throw error instanceof NotMade ? error : new Error(whyNot(error), { cause: error });
  }

  const { db } = connect(url, times);
  // Its errors are explained where they come up; what the work itself throws is not the database's.
  const work = trackWork((error) => error);
  // Who waits for a lock holds a connection meanwhile: some are left for those who only read, and most for others.
  const writers = Math.max(1, times.poolSize - keptForReading);
  const inTurn = createTurns({ most: writers, mostEach: Math.ceil(writers / 3), waitMs: times.lockWaitMs });
  return {
    read: (reading) => work.use(() => untilInOrder(() => reading(db))),
    readTogether: (reading) =>
      work.use(() =>
        untilInOrder(() =>
          db
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute((held) => reading(held)),
        ),
      ),
    write: (writing, company = nobody) =>
      work.use(() => inTurn(company, () => untilInOrder(() => inTransaction(db, writing)))),
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

// Searches take three of them at the most.
const keptForReading = 4;

/** The service itself, and operators. */
const nobody = 0;

const mostTries = 5;
const longestPauseMs = 50;

/** Locks are taken in one order, so this is for what nobody has thought of. */
async function untilInOrder<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === mostTries) throw error;
    }
    await wait(randomInt(longestPauseMs));
  }
}

type Times = Required<PostgresOptions>;

function connect(url: string, { poolSize, connectMs, statementMs, lockWaitMs, silenceMs }: Times) {
  // The database counts waiting for a lock, too.
  const answerMs = statementMs === 0 ? 0 : Math.max(statementMs, lockWaitMs + longerMs);
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
    options: '-c default_transaction_read_only=on',
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
      `its encoding is ${encoding}. Make one with: create database parley encoding 'UTF8' locale 'C.UTF-8' template template0;`,
    );
}

/** @throws Error where the schema cannot be made; the database itself would say so in the middle of it */
async function refuseWithoutRights(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ schema: string | null; tables: boolean; extensions: boolean }>`
    select current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as tables,
      has_database_privilege(current_database(), 'create')
        or (select count(*) = 2 from pg_extension where extname in ('pg_trgm', 'btree_gin')) as extensions`.execute(
    db,
  );
  const { schema = null, tables = false, extensions = false } = rows[0] ?? {};
  if (schema === null) throw new Error('there is no schema in which its tables could be. See search_path.');
  if (!tables || !extensions)
    throw new Error(
      `the user may not make ${tables ? 'extensions' : 'tables'} there. Make the user its owner: alter database … owner to …`,
    );
}

/** @throws Error where the tables are there, but belong to somebody who does not share them */
async function refuseForeignTables(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
      and tablename in (${sql.join(tables)})
      and exists (select from unnest(array['select', 'insert', 'update', 'delete']) as needed
        where not has_table_privilege(format('%I.%I', schemaname, tablename), needed))`.execute(db);
  const [table] = rows;
  if (table)
    throw new Error(
      `the user may not read and write the table ${table.name}. Grant it, or make the user its owner.`,
    );
}
