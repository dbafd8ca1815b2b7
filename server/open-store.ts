import { existsSync } from 'node:fs';
import { openSqlite, type SqliteOptions } from './storage/sqlite.ts';
import type { Store } from './storage/store.ts';

/**
 * Opens the database that the configuration names.
 * @throws Error naming the setting where it cannot be used, or is not there and may not be made
 */
export async function openStore(
  databaseFile: string,
  { mayCreate, ...options }: { mayCreate: boolean } & SqliteOptions,
): Promise<Store> {
  if (!mayCreate && !existsSync(databaseFile))
    throw new Error(
      `There is no database at ${databaseFile}. Check DATABASE_URL, or make one: npm run -s parley -- company create --help`,
    );
  return openSqlite(databaseFile, options).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message} It is what DATABASE_URL names.`, { cause: error });
  });
}
