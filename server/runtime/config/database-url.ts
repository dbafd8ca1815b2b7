import { fileURLToPath, pathToFileURL } from 'node:url';

/** The database: a file, or a PostgreSQL server. */
export type DatabaseConfig = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string };

export const databaseUrlFormats =
  'file: and a path, as in file:data/parley.db, or postgres://USER:PASSWORD@HOST:PORT/DATABASE (with / and # in it as %2F and %23), and behind it sslmode=disable, verify-full or no-verify, sslrootcert, sslcert, sslkey, host, port, application_name';

/** Parses DATABASE_URL. Returns undefined for an invalid value. */
export function parseDatabaseUrl(text: string): DatabaseConfig | undefined {
  if (!text.startsWith('file:')) return postgresFrom(text);
  const file = parseFileUrl(text);
  return file === undefined ? undefined : { engine: 'sqlite', file };
}

/**
 * Returns the path that a URL with the scheme `file:` names, or undefined for an invalid one. `file:data/parley.db` is relative
 * to the working directory, `file:///…` is absolute.
 */
export function parseFileUrl(text: string): string | undefined {
  if (text === 'file:') return undefined;
  try {
    return fileURLToPath(new URL(text, pathToFileURL(`${process.cwd()}/`)));
  } catch {
    return undefined;
  }
}

// libpq's `prefer` and `allow` do not guarantee TLS, so they are rejected. Its `require` accepts any server and its
// `verify-ca` any host name, so both mean `verify-full` here. TLS without verification is called `no-verify`.
const sslModes: Record<string, string> = {
  disable: 'disable',
  require: 'verify-full',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
  'no-verify': 'no-verify',
};

const parameters = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name'];

function postgresFrom(text: string): DatabaseConfig | undefined {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const hasName = url.pathname.length > 1;
  // pg lets URL parameters override every setting, including timeouts, so only known parameters are accepted.
  if (!hasName || [...url.searchParams.keys()].some((name) => !parameters.includes(name))) return undefined;
  const given = url.searchParams.get('sslmode');
  if (given === null) return { engine: 'postgres', url: url.href };
  const mode = Object.hasOwn(sslModes, given) ? sslModes[given] : undefined;
  if (mode === undefined) return undefined;
  url.searchParams.set('sslmode', mode);
  return { engine: 'postgres', url: url.href };
}

/** Returns the path of a database file, or the database URL without its password and its parameters. */
export function redactUrl(address: DatabaseConfig): string {
  if (address.engine === 'sqlite') return address.file;
  const { username, host, pathname } = new URL(address.url);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}
