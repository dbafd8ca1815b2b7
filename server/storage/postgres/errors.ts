import { LockTimeout, StoreUnavailable, UniqueViolation } from '../store.ts';
import { isServerError } from './server-error.ts';

/** The transaction failed to serialize; it can be retried. */
export class WriteConflict extends StoreUnavailable {}

/** The schema has changed since the statement was prepared. It can be prepared again. */
export class StatementOutdated extends WriteConflict {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const uniqueViolation = '23505';
const lockNotAvailable = '55P03';
const conflicts = ['40001', '40P01'];
const unknownStatement = '26000';
const notSupported = '0A000';
const readOnly = '25006';
// Errors of connection, resources, operator intervention (timeouts included), system, login, and idle transactions.
const unavailable = /^(08|53|57|58|28|3D000|25P03)/;

// A standby rejects a setting when a write transaction begins. Only the message tells this from other unsupported
// features.
const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === readOnly ||
  (isServerError(error) && error.code === notSupported && error.file === 'guc.c');

const codeOf = (error: unknown): string => (isServerError(error) ? (error.code ?? '') : '');

/** Converts an error of PostgreSQL or pg to an error of the store, if it has one. */
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
  // Errors of pg itself concern the connection, which is lost or was never made.
  if (isReadOnly(error) || unavailable.test(code) || !isServerError(error))
    return new StoreUnavailable('The database is unavailable.', { cause: error });
  return error;
}

/** Whether a connection must not be used again after an error. */
export const isConnectionUnusable = (error: unknown): boolean =>
  !isServerError(error) ||
  error.severity === 'FATAL' ||
  /^(08|57P|25P03)/.test(codeOf(error)) ||
  // A server that became a standby stays one; the host name may lead to another server now.
  isReadOnly(error);
