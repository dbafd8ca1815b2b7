import { existsSync } from 'node:fs';
import { type DatabaseAddress, shownAddress } from './database-address.ts';
import { NotMade } from './storage/migrate.ts';
import { openPostgres } from './storage/postgres.ts';
import { openSqlite } from './storage/sqlite.ts';
import type { Store } from './storage/store.ts';

export interface OpenOptions {
  /** Whether a database may be made where there is none. */
  mayCreate: boolean;
  /** How long a write waits for others that hold a lock. */
  lockWaitMs?: number;
  /** Of PostgreSQL: how many connections there are at the most. */
  poolSize?: number;
}

/**
 * Opens a database.
 * @throws Error naming it where it cannot be used, or is not there and may not be made
 */
export async function openStore(address: DatabaseAddress, options: OpenOptions): Promise<Store> {
  const shown = shownAddress(address);
  const { mayCreate, poolSize, ...others } = options;
  const none = `There is no database of Parley at ${shown}. Check DATABASE_URL, or make one: npm run -s parley -- company create --help`;
  if (address.engine === 'sqlite' && !mayCreate && !existsSync(address.file)) throw new Error(none);
  const opening =
    address.engine === 'sqlite' ? openSqlite(address.file, others) : openPostgres(address.url, options);
  return opening.catch((error: unknown) => {
    if (error instanceof NotMade) throw new Error(none, { cause: error });
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${shown} cannot be used as a database: ${message} It is what DATABASE_URL names.`, {
      cause: error,
    });
  });
}
