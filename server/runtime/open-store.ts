import { existsSync } from 'node:fs';
import { type DatabaseConfig, redactUrl } from '../config/database-url.ts';
import { allMigrations, DatabaseNotInitialized } from '../storage/migrations/migrate.ts';
import { openSqlite, pendingInSqlite } from '../storage/sqlite/sqlite-store.ts';
import type { Store } from '../storage/store.ts';

/** Which steps of the schema a database still needs; nothing is written. @throws Error naming the database */
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

/** Its driver is loaded by those only who have it. */
const onPostgres = <T>(
  work: (postgres: typeof import('../storage/postgres/postgres-store.ts')) => Promise<T>,
): Promise<T> => import('../storage/postgres/postgres-store.ts').then(work);

const notUsable = (address: DatabaseConfig, namedBy: string, cause: unknown): Error => {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${namedBy} names ${redactUrl(address)}, which cannot be used as a database: ${message}`, {
    cause,
  });
};

export interface OpenStoreOptions {
  /** Whether a database may be made where there is none. */
  mayCreate: boolean;
  /** How long a write waits for others that hold a lock. */
  lockWaitMs?: number;
  /** Of PostgreSQL: how long a statement may take. */
  statementMs?: number;
  /** Of PostgreSQL: how many connections there are at the most. */
  poolSize?: number;
  /** Of PostgreSQL: whether it is watched; for programs that run for long. */
  watch?: boolean;
  /** The setting or option that names it, where that is not DATABASE_URL. */
  namedBy?: string;
}

/**
 * Opens a database.
 * @throws Error naming it where it cannot be used, or is not there and may not be made
 */
export async function openStore(address: DatabaseConfig, options: OpenStoreOptions): Promise<Store> {
  const shown = redactUrl(address);
  const { mayCreate, poolSize, watch: _watch, namedBy = 'DATABASE_URL', ...others } = options;
  const none = `There is no database of Parley at ${shown}. Check ${namedBy}, or make one: npm run -s parley -- company create --help`;
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
