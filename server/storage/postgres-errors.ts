import { DatabaseError } from 'pg';
import { LockTimeout, StoreUnavailable, UniqueViolation } from './store.ts';

/** Two transactions could not be brought into an order; the one that is told so can be tried again. */
export class WriteConflict extends StoreUnavailable {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const uniqueViolation = '23505';
const lockNotAvailable = '55P03';
const conflicts = ['40001', '40P01'];
const readOnly = '25006';
// Connection, resources, operator's intervention (a time-out among them), the system outside, and who may log in.
const unavailable = /^(08|53|57|58|28|3D000)/;

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

/** PostgreSQL's error in the words of the store, where the store has one for it. */
export function explained(error: unknown): unknown {
  // A mistake of our own, or explained already.
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof StoreUnavailable)
    return error;
  const code = codeOf(error);
  if (code === uniqueViolation) return new UniqueViolation('A unique value is taken.', { cause: error });
  if (code === lockNotAvailable)
    return new LockTimeout('Somebody else has held a lock for too long.', { cause: error });
  if (conflicts.includes(code))
    return new WriteConflict('Too many have changed the same at once.', { cause: error });
  if (code === readOnly || unavailable.test(code) || isOfConnection(error))
    return new StoreUnavailable('The database cannot be used at the moment.', { cause: error });
  return error;
}

/** What pg itself throws has no code of the server's: the connection is lost, or never was. */
const isOfConnection = (error: Error): boolean =>
  !(error instanceof DatabaseError) &&
  (('code' in error && typeof error.code === 'string') ||
    /connect|timeout|terminated|not queryable|SSL/i.test(error.message));

/** Whether a connection must not be used again after this error. */
export const isBroken = (error: unknown): boolean =>
  !(error instanceof DatabaseError) ||
  error.severity === 'FATAL' ||
  /^(08|57P)/.test(codeOf(error)) ||
  // A server that has become a standby stays one; behind the same name there may be another by now.
  codeOf(error) === readOnly;
