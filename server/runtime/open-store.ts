import { existsSync } from 'node:fs';
import { errorMessage } from '../lib/error-message.ts';
import { allMigrations, DatabaseNotInitialized } from '../storage/migrations/migrate.ts';
import type { WatchTimes } from '../storage/postgres/watch-database.ts';
import { openSqlite, pendingInSqlite } from '../storage/sqlite/sqlite-store.ts';
import type { Store } from '../storage/store.ts';
import { type DatabaseConfig, redactUrl } from './config/database-url.ts';

/** Returns the names of the migrations that a database lacks. It writes nothing. @throws Error naming the database */
export async function pendingMigrationsAt(address: DatabaseConfig): Promise<string[]> {
  if (address.engine === 'sqlite' && !existsSync(address.file)) return allMigrations;
  const looking =
    address.engine === 'sqlite'
      ? pendingInSqlite(address.file)
      : onPostgres(({ pendingInPostgres }) => pendingInPostgres(address.url));
  return looking.catch((error: unknown) => {
    throw notUsable(address, 'DATABASE_URL', error);
  });
}

/** Loads the driver on demand. */
const onPostgres = <T>(
  work: (postgres: typeof import('../storage/postgres/postgres-store.ts')) => Promise<T>,
): Promise<T> => import('../storage/postgres/postgres-store.ts').then(work);

const notUsable = (address: DatabaseConfig, namedBy: string, cause: unknown): Error => {
  const message = errorMessage(cause);
  return new Error(`${namedBy} names ${redactUrl(address)}, which cannot be used: ${message}`, {
    cause,
  });
};

export interface OpenStoreOptions {
  /** Whether a missing database is created. */
  mayCreate: boolean;
  /** How long a write waits for a lock, in milliseconds. */
  lockWaitMs?: number;
  /** PostgreSQL: statement timeout, in milliseconds. */
  statementMs?: number;
  /** PostgreSQL: maximum number of connections. */
  poolSize?: number;
  /** PostgreSQL: whether to detect a failover, and when (default: never), for long-running processes. */
  watch?: Partial<WatchTimes>;
  /** The setting or option that names the database (default: DATABASE_URL). */
  namedBy?: string;
}

/**
 * Opens a database.
 * @throws Error naming the database, if it cannot be used, or if it does not exist and may not be created
 */
export async function openStore(address: DatabaseConfig, options: OpenStoreOptions): Promise<Store> {
  const shown = redactUrl(address);
  const { mayCreate, poolSize, watch: _watch, namedBy = 'DATABASE_URL', ...others } = options;
  const none = `There is no Parley database at ${shown}. Check ${namedBy}, or create one: npm run -s parley -- company create --help`;
  if (address.engine === 'sqlite' && !mayCreate && !existsSync(address.file)) throw new Error(none);
  const opening =
    address.engine === 'sqlite'
      ? openSqlite(address.file, others)
      : onPostgres(({ openPostgres }) => openPostgres(address.url, options));
  return opening.catch((error: unknown) => {
    if (error instanceof DatabaseNotInitialized) throw new Error(none, { cause: error });
    throw notUsable(address, namedBy, error);
  });
}
