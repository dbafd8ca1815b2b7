import { type Logger, pino } from 'pino';
import { ResponseValidationError } from '../contract/validate-response.ts';
import type { Secrets } from '../security/secrets/encryption.ts';
import { openSecrets } from '../security/secrets/open-secrets.ts';
import { type Store, StoreCorrupted, StoreUnavailable } from '../storage/store.ts';
import type { Config } from './config/config.ts';
import { unknownVariables } from './config/config-help.ts';
import type { DatabaseConfig } from './config/database-url.ts';
import { type DatabaseClock, localClock, readPostgresTime, startDatabaseClock } from './database-clock.ts';
import { openStore } from './open-store.ts';

/** The dependencies of every process of the service. */
export interface RuntimeDependencies {
  log: Logger;
  store: Store;
  secrets: Secrets;
  clock: DatabaseClock;
}

/**
 * Opens the database, secrets and log that a configuration specifies.
 * @param parts gets what closes them
 * @throws Error if one cannot be used
 */
export async function openDependencies(
  config: Config,
  parts: AsyncDisposableStack,
): Promise<RuntimeDependencies> {
  // Logs go to standard error; standard output is for users.
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
  for (const { name, nearest } of unknownVariables(process.env))
    log.warn({ variable: name, nearest }, 'unknown environment variable ignored');
  const store = await openStore(config.database, {
    mayCreate: true,
    poolSize: config.databasePoolSize,
    watch: {},
  });
  parts.defer(() => store.close());
  const secrets = await openConfiguredSecrets(config, store);
  const clock =
    config.database.engine === 'sqlite'
      ? localClock
      : await startDatabaseClock(() => store.read(readPostgresTime));
  parts.defer(clock.stop);
  return { log, store, secrets, clock };
}

/** Opens the secrets of a database with the configured key. */
export const openConfiguredSecrets = (
  { secretKey, database, production }: Config,
  store: Store,
): Promise<Secrets> =>
  openSecrets(store, {
    keys: secretKey && !('file' in secretKey) ? secretKey : null,
    keyFile: secretKey && 'file' in secretKey ? secretKey.file : defaultKeyFile(database),
    // With PostgreSQL, the service may run on several machines, and each would create its own key.
    mayMakeKey: database.engine === 'sqlite' || !production,
  });

/**
 * Returns the path of the key file: next to the embedded database, but in a separate file, so that a copy of the
 * database file alone reveals no secrets. With PostgreSQL, the key file stays where it was before `parley move`.
 */
function defaultKeyFile(database: DatabaseConfig): string {
  return `${database.engine === 'sqlite' ? database.file : 'data/parley.db'}.key`;
}

/** The log message for a corrupted database. The runbook describes what to do. */
export const corruptionMessage = 'database corrupted; writes disabled; restore a backup';

/**
 * Logs an error. An unavailable database is a warning, not an internal error. A response that violates the contract is
 * logged with the locations and the violated rules, but without any values.
 */
export function logError(log: Logger, error: unknown, where: object = {}): void {
  if (error instanceof StoreCorrupted) log.error({ ...where, reason: reasonOf(error) }, corruptionMessage);
  else if (error instanceof StoreUnavailable)
    log.warn({ ...where, reason: reasonOf(error) }, 'database unavailable');
  else if (error instanceof ResponseValidationError)
    log.error(
      { ...where, direction: 'response', violations: error.message },
      'response violates the contract',
    );
  else log.error({ ...where, err: error }, 'internal error');
}

/** Returns the message of the cause, which comes from the database, or else the error's own message. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}
