import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { Schema } from '../schema.ts';
import type { StoreHealth } from '../store.ts';
import { createSockets } from './sockets.ts';
import { preparedOnce } from './statements.ts';

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
  /** Whether somebody looks if connections still lead somewhere: for programs that run for long. */
  watch?: boolean;
}

/** What is usual. */
export const defaultTimeouts = {
  poolSize: 10,
  lockWaitMs: 10_000,
  connectMs: 5_000,
  statementMs: 10_000,
  silenceMs: 3_000,
};

export type PoolTimeouts = Required<Omit<PostgresOptions, 'mayCreate' | 'watch'>>;

// Between the end of a lock's time and that of the statement that waits for it.
const longerMs = 2_000;

export interface PostgresConnection {
  db: Kysely<Schema>;
  /** Gives up every connection that is there, and what waits for it. */
  renew: () => void;
  load: () => Omit<StoreHealth, 'isReachable' | 'isCorrupted'>;
}

/** Connects to a database when it is asked for something. A time of 0 has no end. */
export function connectPostgres(url: string, times: PoolTimeouts): PostgresConnection {
  let pool = newPool(url, times);
  const current = preparedOnce(
    () => pool.connect(),
    () => pool.end(),
  );
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: current }) }),
    load: () => pool.load(),
    renew() {
      const { destroyAll } = pool;
      // Whoever waits for a connection of the old one gets a new one, too; then it stands empty.
      pool = newPool(url, times);
      destroyAll();
    },
  };
}

function newPool(url: string, { poolSize, connectMs, statementMs, lockWaitMs, silenceMs }: PoolTimeouts) {
  // The database counts waiting for a lock, too.
  const answerMs = statementMs === 0 ? 0 : Math.max(statementMs, lockWaitMs + longerMs);
  const sockets = createSockets();
  const pool = new Pool({
    connectionString: url,
    stream: sockets.make,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    statement_timeout: answerMs,
    lock_timeout: lockWaitMs,
    idle_in_transaction_session_timeout: statementMs || defaultTimeouts.statementMs,
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
  return {
    connect: () => pool.connect(),
    end: () => pool.end(),
    destroyAll: sockets.destroyAll,
    load: () => ({ inFlight: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
  };
}

// Ids and moments are below 2^53 (D01).
const parserOf: typeof types.getTypeParser = (type, format) =>
  type === types.builtins.INT8 ? Number : types.getTypeParser(type, format);
