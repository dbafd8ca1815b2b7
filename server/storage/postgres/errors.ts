import { LockTimeout, StoreUnavailable, UniqueViolation } from '../store.ts';
import { isServerError } from './server-error.ts';

/** Two transactions could not be brought into an order; the one that is told so can be tried again. */
export class WriteConflict extends StoreUnavailable {}

/** A prepared statement no longer fits the schema, which somebody has changed. Prepared anew it will. */
export class StatementOutdated extends WriteConflict {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const uniqueViolation = '23505';
const lockNotAvailable = '55P03';
const conflicts = ['40001', '40P01'];
const unknownStatement = '26000';
const notSupported = '0A000';
const readOnly = '25006';
// Connection, resources, operator's intervention (a time-out among them), the system outside, who may log in, and a
// transaction that did nothing for too long.
const unavailable = /^(08|53|57|58|28|3D000|25P03)/;

// A standby says so already when a transaction begins that is to write: a setting is refused, and that is all that
// tells it from other things which are not supported.
const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === readOnly ||
  (isServerError(error) && error.code === notSupported && error.file === 'guc.c');

const codeOf = (error: unknown): string => (isServerError(error) ? (error.code ?? '') : '');

/** An error of PostgreSQL, or of pg, in the words of the store, where the store has one for it. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === uniqueViolation) return new UniqueViolation('A unique value is taken.', { cause: error });
  if (code === lockNotAvailable)
    return new LockTimeout('Somebody else has held a lock for too long.', { cause: error });
  if (code === unknownStatement || (code === notSupported && error.message.includes('cached plan')))
    return new StatementOutdated('The schema has changed.', { cause: error });
  if (conflicts.includes(code))
    return new WriteConflict('Too many have changed the same at once.', { cause: error });
  // What pg itself throws is of the connection, which is lost, or never was.
  if (isReadOnly(error) || unavailable.test(code) || !isServerError(error))
    return new StoreUnavailable('The database cannot be used at the moment.', { cause: error });
  return error;
}

/** Whether a connection must not be used again after this error. */
export const isConnectionUnusable = (error: unknown): boolean =>
  !isServerError(error) ||
  error.severity === 'FATAL' ||
  /^(08|57P|25P03)/.test(codeOf(error)) ||
  // A server that has become a standby stays one; behind the same name there may be another by now.
  isReadOnly(error);
