import { isServerError } from './server-error.ts';

/** Error and remedy, by the code of PostgreSQL, Node.js or OpenSSL. */
const advice: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is PostgreSQL running, and are host and port right?',
  ENOTFOUND: 'there is no such host.',
  EAI_AGAIN: 'the name of the host cannot be resolved at the moment.',
  ENOENT: 'there is no such socket. Is PostgreSQL running?',
  '28P01': 'the user or the password is wrong.',
  '28000': 'the user may not log in there. See pg_hba.conf.',
  '3D000': 'there is no such database. The README says how to make one.',
  '42501': 'the user may not make tables or extensions there: grant create on database and schema.',
  '0A000': 'an extension is missing there: install pg_trgm and btree_gin (postgresql-contrib).',
  '58P01': 'an extension is missing there: install pg_trgm and btree_gin (postgresql-contrib).',
  '53300': 'it has no connection left. See max_connections, and PARLEY_DATABASE_POOL_SIZE.',
  '57P03': 'it is starting, or shutting down.',
  '25006': 'it is read-only, as a standby is.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is not from a known authority. Name the right one: sslrootcert=FILE',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is its own. Name it: sslrootcert=FILE',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not from a known authority. Name the right one: sslrootcert=FILE',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host.',
};

/** Errors of pg without a code. */
const words: [RegExp, string][] = [
  [/password must be a string|no password/i, 'a password is needed: in the address, or in PGPASSWORD.'],
  [/does not support SSL/i, 'it does not speak TLS. Leave sslmode out, or switch TLS on there.'],
  [/timeout|terminated/i, 'it does not answer in time. Is it PostgreSQL that listens there?'],
];

/** Describes why a database cannot be opened. */
export function describeConnectError(error: unknown): string {
  const chain = [];
  for (let each = error; each instanceof Error; each = each.cause) chain.push(each);
  for (const each of chain) {
    const inner = each instanceof AggregateError ? each.errors[0] : each;
    const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
    // A certificate or key file that the URL names.
    if (inner instanceof Error && 'syscall' in inner && inner.syscall === 'open' && 'path' in inner)
      return `the file ${inner.path} that it names cannot be read.`;
    const known = advice[code];
    if (known !== undefined) return known;
  }
  const last = chain.at(-1);
  const said = last?.message ?? String(error);
  const meant = isServerError(last) ? undefined : words.find(([pattern]) => pattern.test(said))?.[1];
  const detail = isServerError(last) && last.detail ? ` (${last.detail})` : '';
  return meant ?? `${said}${detail}${said.endsWith('.') ? '' : '.'}`;
}
