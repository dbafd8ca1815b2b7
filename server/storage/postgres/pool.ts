import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { Schema } from '../schema.ts';
import { preparedOnce } from './statements.ts';
import { createSockets, type WatchTimes } from './watch-database.ts';

export interface PostgresOptions {
  /** Whether the schema may be created in an empty database. */
  mayCreate?: boolean;
  /** Maximum number of connections. */
  poolSize?: number;
  /** How long a write waits for a lock, in milliseconds. */
  lockWaitMs?: number;
  /** Timeout for connecting and for waiting for a free connection, in milliseconds. */
  connectMs?: number;
  /** Statement timeout, in milliseconds. */
  statementMs?: number;
  /** How much longer than the statement timeout the client waits for a response, in milliseconds. */
  silenceMs?: number;
  /** Whether to detect a failover, and when (default: never). Only long-running processes need this. */
  watch?: Partial<WatchTimes>;
}

export const defaultTimeouts = {
  poolSize: 10,
  lockWaitMs: 10_000,
  connectMs: 5_000,
  statementMs: 10_000,
  silenceMs: 3_000,
};

export type PoolTimeouts = Required<Omit<PostgresOptions, 'mayCreate' | 'watch'>>;

// The statement timeout exceeds the lock timeout by at least this.
const longerMs = 2_000;

/**
 * Creates a connection pool. A timeout of 0 means no timeout. It turns JIT compilation off: the planner overestimates the
 * cost of claiming from a large queue, and compiling that statement takes several times as long as running it.
 */
export function connectPostgres(url: string, times: PoolTimeouts) {
  let pool = newPool(url, times);
  const current = preparedOnce(
    () => pool.connect(),
    () => pool.end(),
  );
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: current }) }),
    pool: current,
    /** Returns the number of callers that wait for a connection. */
    waiting: () => pool.waiting(),
    /** Closes all connections. Callers that wait for a connection get a new one. */
    renew(): void {
      const { destroyAll } = pool;
      // New callers use the new pool. The old pool makes new connections for the callers that already wait.
      pool = newPool(url, times);
      destroyAll();
    },
  };
}

function newPool(url: string, { poolSize, connectMs, statementMs, lockWaitMs, silenceMs }: PoolTimeouts) {
  // The statement timeout includes waiting for locks, so it must be longer than the lock timeout.
  const answerMs = statementMs === 0 ? 0 : Math.max(statementMs, lockWaitMs + longerMs);
  const sockets = createSockets();
  // Statements, because PgBouncer rejects connections with these startup parameters.
  const settings = {
    text: `set statement_timeout = ${answerMs};
      set lock_timeout = ${lockWaitMs};
      set idle_in_transaction_session_timeout = ${statementMs || defaultTimeouts.statementMs};
      set jit = off`,
    query_timeout: connectMs,
  };
  const pool = new Pool({
    connectionString: url,
    stream: sockets.make,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs === 0 ? 0 : answerMs + silenceMs,
    keepAlive: true,
    // Shared transactions send statements before the responses to earlier ones.
    pipeline: true,
    application_name: 'parley',
    types: { getTypeParser: parserOf },
    // The pool waits for the response.
    onConnect: (client) => client.query(settings),
  });
  // Broken connections are replaced on demand. Their errors may occur between statements, and an error event without
  // a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: () => pool.connect(),
    end: () => pool.end(),
    destroyAll: sockets.destroyAll,
    waiting: () => pool.waitingCount,
  };
}

// IDs and timestamps are below 2^53 (D01), so a number represents them exactly.
const parserOf: typeof types.getTypeParser = (type, format) =>
  type === types.builtins.INT8 ? Number : types.getTypeParser(type, format);
