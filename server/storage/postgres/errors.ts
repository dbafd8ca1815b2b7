import type { DatabaseError } from 'pg';
import { LockTimeout, StoreUnavailable, UniqueViolation } from '../store.ts';

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

/**
 * Whether an error is from PostgreSQL itself. Such an error is recognized by properties that it always has, not by its
 * class, so that services on the embedded database need not load pg.
 */
export const isServerError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && 'length' in error;

/** Descriptions of errors, often with a remedy, by the error code of PostgreSQL, Node.js or OpenSSL. */
const advice: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is PostgreSQL running, and are host and port right?',
  ENOTFOUND: 'the host does not exist.',
  EAI_AGAIN: 'the host name cannot be resolved now.',
  ENOENT: 'the socket does not exist. Is PostgreSQL running?',
  '28P01': 'the user or the password is wrong.',
  '28000': 'the user is not allowed to log in. See pg_hba.conf.',
  '3D000': 'the database does not exist. openapi/guides/databases.md shows how to create it.',
  '42501': 'the user may not create tables or extensions: grant create on database and schema.',
  '0A000': 'an extension is missing: install pg_trgm and btree_gin (postgresql-contrib).',
  '58P01': 'an extension is missing: install pg_trgm and btree_gin (postgresql-contrib).',
  '53300': 'all its connections are in use. See max_connections, and PARLEY_DATABASE_POOL_SIZE.',
  '57P03': 'it is starting or shutting down.',
  '25006': 'it is read-only: a standby, or default_transaction_read_only is on.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an unknown authority. Set sslrootcert=FILE',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed. Set sslrootcert=FILE',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is from an unknown authority. Set sslrootcert=FILE',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host.',
};

/** Descriptions of errors of pg that have no code, by a pattern of their message. */
const words: [RegExp, string][] = [
  [/password must be a string|no password/i, 'a password is needed: in the URL, or in PGPASSWORD.'],
  [/does not support SSL/i, 'it does not support TLS. Remove sslmode, or enable TLS on the server.'],
  [/timeout|terminated/i, 'the connection timed out. Does PostgreSQL listen there?'],
];

/** Describes why a database cannot be opened. */
export function describeConnectError(error: unknown): string {
  const chain = [];
  for (let each = error; each instanceof Error; each = each.cause) chain.push(each);
  for (const each of chain) {
    const inner = each instanceof AggregateError ? each.errors[0] : each;
    const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
    // The URL names a certificate or key file that cannot be read.
    if (inner instanceof Error && 'syscall' in inner && inner.syscall === 'open' && 'path' in inner)
      return `the file ${inner.path} in the URL cannot be read.`;
    const known = advice[code];
    if (known !== undefined) return known;
  }
  const last = chain.at(-1);
  const said = last?.message ?? String(error);
  const meant = isServerError(last) ? undefined : words.find(([pattern]) => pattern.test(said))?.[1];
  const detail = isServerError(last) && last.detail ? ` (${last.detail})` : '';
  return meant ?? `${said}${detail}${said.endsWith('.') ? '' : '.'}`;
}
