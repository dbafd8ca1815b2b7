import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import type { DatabaseConfig } from '../config/database-url.ts';
import type { Secrets } from '../secrets/encryption.ts';
import { openSecrets } from '../secrets/open-secrets.ts';
import { type Store, StoreCorrupted, StoreUnavailable } from '../storage/store.ts';
import { openStore } from './open-store.ts';

/** What every process of the service needs. */
export interface RuntimeDependencies {
  log: Logger;
  store: Store;
  secrets: Secrets;
}

/** Opens what the settings name. @throws Error where one of them cannot be used */
export async function openDependencies(config: Config): Promise<RuntimeDependencies> {
  // Logs go to standard error, so that standard output holds only what is meant for a person.
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
  const store = await openStore(config.database, {
    mayCreate: true,
    poolSize: config.databasePoolSize,
    watch: true,
  });
  try {
    return { log, store, secrets: await openConfiguredSecrets(config, store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The secrets in a database, by the key that the settings name. */
export const openConfiguredSecrets = (
  { secretKeys, secretKeyFile, database, production }: Config,
  store: Store,
): Promise<Secrets> =>
  openSecrets(store, {
    keys: secretKeys,
    keyFile: secretKeyFile ?? defaultKeyFile(database),
    // Of several machines each would make one of its own.
    mayMakeKey: database.engine === 'sqlite' || !production,
  });

/** Beside the embedded database, whose copies alone then open no secret; where it would be, if it was moved. */
function defaultKeyFile(database: DatabaseConfig): string {
  return `${database.engine === 'sqlite' ? database.file : 'data/parley.db'}.key`;
}

/** For the log: what the operator has to do. */
export const corruptionMessage = 'database corrupted; writes disabled; restore a backup';

/** A database that is away is no fault of ours, and is told as what it is. */
export function logError(log: Logger, error: unknown, where: object = {}): void {
  if (error instanceof StoreCorrupted) log.error({ ...where, reason: reasonOf(error) }, corruptionMessage);
  else if (error instanceof StoreUnavailable)
    log.warn({ ...where, reason: reasonOf(error) }, 'database unavailable');
  else log.error({ ...where, err: error }, 'internal error');
}

/** What the database itself has said. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}
