import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createFairQueue, runInTurn } from '../../lib/fair-queue.ts';
import { trackInFlight } from '../in-flight.ts';
import { migrationLockTimeoutMs } from '../locks.ts';
import { DatabaseNotInitialized, pendingMigrations, runMigrations } from '../migrations/migrate.ts';
import {
  asTransaction,
  type Database,
  LockTimeout,
  type Store,
  StoreUnavailable,
  type Transaction,
} from '../store.ts';
import { describeConnectError, WriteConflict } from './errors.ts';
import { connectPostgres, defaultTimeouts, type PoolTimeouts, type PostgresOptions } from './pool.ts';
import { assertPrivileges, assertTablesAccessible, assertUsableDatabase } from './preflight.ts';
import { createSharedTransactions } from './shared-transactions.ts';
import { watchDatabase } from './watch-database.ts';

// The connection for migrations has no timeouts.
const unlimited = { lockWaitMs: 0, statementMs: 0 };

/**
 * Returns the migrations that a database lacks, without writing to the database.
 * @throws Error that says why the database cannot be used
 */
export async function pendingInPostgres(url: string): Promise<string[]> {
  const { db } = connectPostgres(url, { ...defaultTimeouts, poolSize: 2 });
  try {
    await assertUsableDatabase(db);
    return await pendingMigrations(db);
  } catch (error) {
    throw new Error(describeConnectError(error), { cause: error });
  } finally {
    await db.destroy();
  }
}

/**
 * Opens a PostgreSQL database and migrates it.
 * @throws DatabaseNotInitialized, or Error that says why the database cannot be used
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const times = { mayCreate: true, ...defaultTimeouts, ...options };
  const { db, pool, renew, waiting } = connectPostgres(url, times);
  await bringUpToDate(url, times, db).catch(async (error: unknown) => {
    await db.destroy();
    throw error instanceof DatabaseNotInitialized
      ? error
      : new Error(describeConnectError(error), { cause: error });
  });
  // Errors pass unchanged: database errors have already been converted for each statement.
  const work = trackInFlight((error) => error);
  // A write that waits for a lock occupies a connection, so some connections are reserved for reads.
  const writers = Math.max(1, times.poolSize - keptForReading);
  const queue = createFairQueue({
    max: writers,
    maxPerKey: Math.ceil(writers / 3),
    waitMs: times.lockWaitMs,
  });
  const inTurn = <T>(company: number, task: () => Promise<T>): Promise<T> =>
    runInTurn(queue, String(company), task, tooManyWait);
  const writeAlone = <T>(writing: (db: Transaction) => Promise<T>, company: number): Promise<T> =>
    inTurn(company, () => retryOnConflict(() => inTransaction(db, writing)));
  const shared = createSharedTransactions({ pool, inTurn, writeAlone });
  const watch = options.watch && watchDatabase(url, { ...options.watch, onFailover: renew });
  return {
    read: (reading) => work.use(() => retryOnConflict(() => reading(db))),
    readSnapshot: (reading) =>
      work.use(() =>
        retryOnConflict(() =>
          db
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute((held) => reading(held)),
        ),
      ),
    write: (writing, company = noCompanyId) => work.use(() => writeAlone(writing, company)),
    writeInGroup: (writing, company, group) => work.use(() => shared.write(writing, company, group)),
    health() {
      return {
        state: work.isOpen() && (watch?.isResponsive() ?? true) ? 'ok' : 'away',
        waiting: waiting() + queue.waiting() + shared.waiting(),
      };
    },
    // PostgreSQL removes deleted data from its files with VACUUM.
    purgeDeleted: async () => false,
    checkIntegrity: async () => undefined,
    async close() {
      if (!work.close()) return;
      watch?.end();
      await work.ended();
      await db.destroy();
    },
  };
}

/** Checks the database on connections of the pool, and migrates it on a separate connection without timeouts. */
async function bringUpToDate(
  url: string,
  times: PoolTimeouts & { mayCreate: boolean },
  db: Database,
): Promise<void> {
  // The check of the sessions needs two connections.
  await using others = new AsyncDisposableStack();
  const connect = (limits: Partial<PoolTimeouts>) => {
    const { db: other } = connectPostgres(url, { ...times, ...limits, poolSize: 2 });
    others.defer(() => other.destroy());
    return other;
  };
  const checked = times.poolSize > 1 ? db : connect({});
  await assertUsableDatabase(checked);
  if ((await pendingMigrations(checked)).length > 0) {
    await assertPrivileges(checked);
    const patient = connect(unlimited);
    await untilLocked(() => inTransaction(patient, (held) => runMigrations(held, times)));
  }
  await assertTablesAccessible(checked);
}

/**
 * Retries the work after each lock timeout and deadlock, without a limit. Other transactions can run in the pauses.
 * A deadlock is possible, because a migration and a request may lock the same tables in different orders.
 */
async function untilLocked(work: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LockTimeout || error instanceof WriteConflict)) throw error;
      await wait(migrationLockTimeoutMs);
    }
}

// Each statement must see what was committed while the transaction waited for its locks. So the isolation level does not
// depend on `default_transaction_isolation`. The access mode does: `default_transaction_read_only` prevents writes.
const inTransaction = <T>(db: Database, work: (db: Transaction) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('read committed')
    .execute((held) => work(asTransaction(held)));

const tooManyWait = (): Error => new StoreUnavailable('Too many database operations wait already.');

// Connections reserved for reads. Searches take at most three of them (see search.ts).
const keptForReading = 4;

/** Used instead of a company ID in writes of the service itself and of operators. */
const noCompanyId = 0;

const maxTries = 5;
const maxPauseMs = 50;

/** Retries the work after a conflict. Conflicts are rare, because locks are taken in one order. */
async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === maxTries) throw error;
    }
    await wait(randomInt(maxPauseMs));
  }
}
