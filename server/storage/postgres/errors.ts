import { LockTimeout, StoreUnavailable, UniqueViolation } from '../store.ts';
import { isServerError } from './server-error.ts';

/** The transaction failed to serialize; it can be retried. */
export class WriteConflict extends StoreUnavailable {}

/** The server does not know a prepared statement, or the schema has changed. The statement can be prepared again. */
export class StatementOutdated extends WriteConflict {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const uniqueViolation = '23505';
const lockNotAvailable = '55P03';
const conflicts = ['40001', '40P01'];
const unknownStatement = '26000';
const notSupported = '0A000';
const readOnly = '25006';
// Errors of the connection, resources, operator intervention (timeouts included), the system and login. Also a missing
// database, and a transaction that was idle for too long.
const unavailable = /^(08|53|57|58|28|3D000|25P03)/;

const codeOf = (error: unknown): string => (isServerError(error) ? (error.code ?? '') : '');

/** Converts an error of PostgreSQL or pg to the matching error of the store. Returns other errors unchanged. */
export function postgresToStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === uniqueViolation)
    return new UniqueViolation('A unique value exists already.', { cause: error });
  if (code === lockNotAvailable) return new LockTimeout('A lock was not released in time.', { cause: error });
  if (code === unknownStatement || (code === notSupported && error.message.includes('cached plan')))
    return new StatementOutdated('The schema has changed.', { cause: error });
  if (conflicts.includes(code))
    return new WriteConflict('The transaction was retried too often.', { cause: error });
  if (code === readOnly) return new StoreUnavailable('The database is read-only.', { cause: error });
  // Errors of pg itself concern the connection, which is lost or was never made.
  if (unavailable.test(code) || !isServerError(error))
    return new StoreUnavailable('The database is unavailable.', { cause: error });
  return error;
}

/** Whether a connection must not be used again after an error. */
export const isConnectionUnusable = (error: unknown): boolean =>
  !isServerError(error) ||
  error.severity === 'FATAL' ||
  /^(08|57P|25P03)/.test(codeOf(error)) ||
  // A server that became a standby remains one. A new connection may reach another server under the same host name, or a
  // database that its administrator has made writable again.
  codeOf(error) === readOnly;
