import { type EncryptionKeys, parseKeys } from '../secrets/encryption-keys.ts';
import { type DatabaseConfig, databaseUrlFormats, parseDatabaseUrl } from './database-url.ts';
import { integerParser, parseNetworks, parseOrigins, parseProxy, retentionDaysParser } from './parsers.ts';

export interface Config {
  host: string;
  port: number;
  database: DatabaseConfig;
  /** How many connections to PostgreSQL there are at the most. */
  databasePool: number;
  production: boolean;
  logLevel: string;
  ratePerMinute: number;
  rateBurst: number;
  failuresPerMinute: number;
  allowedOrigins: string[];
  /** In CIDR notation: who may say for whom a request was made. */
  trustedProxies: string[];
  /** The key that secrets are encrypted with, and others that open them; null where they are in a file. */
  secretKeys: EncryptionKeys | null;
  /** The file with that key; null where it has the usual name. */
  secretKeyFile: string | null;
  webhookHttp: boolean;
  /** In CIDR notation. */
  webhookNetworks: string[];
  /** What webhooks are called through; null where they are called directly. */
  webhookProxy: URL | null;
  /** Whether the service sends webhooks itself, in its own process. */
  worker: boolean;
  /** How many calls there are at once, without those that hang. */
  deliveryCalls: number;
  deliveryCallsEach: number;
  /** In seconds. */
  deliveryLease: number;
  /** Null where there are none. */
  metricsPort: number | null;
  /** For how many days what was deleted is kept; null for ever. */
  keepDeletedDays: number | null;
  /** For how many days a closed conversation is kept in which nothing happens; null for ever. */
  keepClosedDays: number | null;
}

/** A variable's value cannot be used. Its message names the variable and what it may be. */
export class ConfigError extends Error {}

interface Variable<T> {
  name: string;
  defaultValue: string;
  description: string;
  read: (text: string) => T | undefined;
  expected: string;
  /** Its value is never shown. */
  secret?: true;
}

const environments = ['production', 'development', 'test'];
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const variables: { [K in keyof Config]: Variable<Config[K]> } = {
  host: {
    name: 'HOST',
    defaultValue: '127.0.0.1',
    description: 'the address to listen on; 0.0.0.0 for all',
    read: (text) => (/^[A-Za-z0-9.:-]+$/.test(text) ? text : undefined),
    expected: 'an address or a host name',
  },
  port: {
    name: 'PORT',
    defaultValue: '8080',
    description: 'the port to listen on; 0 takes a free one',
    ...integerParser(0, 65_535),
  },
  database: {
    name: 'DATABASE_URL',
    defaultValue: 'file:data/parley.db',
    description: 'the database: file:PATH is an embedded one, postgres://… one of PostgreSQL',
    read: parseDatabaseUrl,
    expected: databaseUrlFormats,
  },
  databasePool: {
    name: 'PARLEY_DATABASE_POOL',
    defaultValue: '10',
    description: 'connections to PostgreSQL, at the most',
    ...integerParser(1, 1_000),
  },
  production: {
    name: 'NODE_ENV',
    defaultValue: 'development',
    description: 'production leaves the demo company out',
    // A misspelt production would make a demo company, and show a token that opens it.
    read: (text) => (environments.includes(text) ? text === 'production' : undefined),
    expected: environments.join(', '),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    defaultValue: 'info',
    description: 'how much is logged',
    read: (text) => (logLevels.includes(text) ? text : undefined),
    expected: logLevels.join(', '),
  },
  ratePerMinute: {
    name: 'PARLEY_RATE_PER_MINUTE',
    defaultValue: '1200',
    description: 'requests a minute for each token; 0 sets no limit',
    ...integerParser(0, 1_000_000),
  },
  rateBurst: {
    name: 'PARLEY_RATE_BURST',
    defaultValue: '200',
    description: 'how many of them may come at once',
    ...integerParser(1, 1_000_000),
  },
  failuresPerMinute: {
    name: 'PARLEY_AUTH_FAILURES_PER_MINUTE',
    defaultValue: '60',
    description: 'failed authentications a minute for each address; 0 sets no limit',
    ...integerParser(0, 1_000_000),
  },
  allowedOrigins: {
    name: 'PARLEY_ALLOWED_ORIGINS',
    defaultValue: '',
    description: 'origins whose pages may call the interface (CORS), separated by commas',
    read: parseOrigins,
    expected: 'origins such as https://app.example.com, separated by commas',
  },
  trustedProxies: {
    name: 'PARLEY_TRUSTED_PROXIES',
    defaultValue: '',
    description: 'networks of proxies whose X-Forwarded-For names the caller, separated by commas',
    read: parseNetworks,
    expected: 'networks such as 10.1.0.0/16 or fd12::/16, separated by commas',
  },
  secretKeys: {
    name: 'PARLEY_SECRET_KEY',
    defaultValue: '',
    description: '32 bytes in base64 that encrypt the secrets of webhooks (they are in a file)',
    read: (text) => (text === '' ? null : parseKeys(text)),
    expected: '32 bytes in base64, as from: openssl rand -base64 32; with a comma, another key that opens',
    secret: true,
  },
  secretKeyFile: {
    name: 'PARLEY_SECRET_KEY_FILE',
    defaultValue: '',
    description:
      "the file that they are in (the embedded database's name and '.key', else data/parley.db.key)",
    read: (text) => text || null,
    expected: 'a path',
  },
  webhookHttp: {
    name: 'PARLEY_WEBHOOK_HTTP',
    defaultValue: 'no',
    description: 'whether webhooks may use http beside https',
    read: (text) => ({ yes: true, no: false })[text],
    expected: 'yes or no',
  },
  webhookNetworks: {
    name: 'PARLEY_WEBHOOK_NETWORKS',
    defaultValue: '',
    description: 'networks that are not public and that webhooks may still lead to, separated by commas',
    read: parseNetworks,
    expected: 'networks such as 10.1.0.0/16 or fd12::/16, separated by commas',
  },
  webhookProxy: {
    name: 'PARLEY_WEBHOOK_PROXY',
    defaultValue: '',
    description: 'a proxy that webhooks are called through (they are called directly)',
    read: parseProxy,
    expected: 'an address such as http://proxy.example.com:3128',
    secret: true,
  },
  worker: {
    name: 'PARLEY_WORKER',
    defaultValue: 'yes',
    description: 'whether the service sends webhooks itself; no leaves it to: npm run worker',
    read: (text) => ({ yes: true, no: false })[text],
    expected: 'yes or no',
  },
  deliveryCalls: {
    name: 'PARLEY_DELIVERY_CALLS',
    defaultValue: '256',
    description: 'requests to webhooks in flight that have lasted less than 250 ms',
    ...integerParser(1, 10_000),
  },
  deliveryCallsEach: {
    name: 'PARLEY_DELIVERY_CALLS_EACH',
    defaultValue: '16',
    description: 'requests in flight for one webhook; requests of less than 250 ms to one origin',
    ...integerParser(1, 1_000),
  },
  deliveryLease: {
    name: 'PARLEY_DELIVERY_LEASE',
    defaultValue: '10',
    description: 'seconds after which the deliveries of a worker that is gone are made by another',
    ...integerParser(1, 3_600),
  },
  metricsPort: {
    name: 'PARLEY_METRICS_PORT',
    defaultValue: '',
    description: 'the port of /metrics, for Prometheus, on HOST (none); 0 takes a free one',
    read: (text) => (text === '' ? null : integerParser(0, 65_535).read(text)),
    expected: 'a whole number from 0 to 65535',
  },
  keepDeletedDays: {
    name: 'PARLEY_KEEP_DELETED_DAYS',
    defaultValue: '',
    description: 'days after which what was deleted is erased (never)',
    ...retentionDaysParser,
  },
  keepClosedDays: {
    name: 'PARLEY_KEEP_CLOSED_DAYS',
    defaultValue: '',
    description: 'days after which closed conversations are erased, from what happened last in them (never)',
    ...retentionDaysParser,
  },
};

type Environment = Readonly<Record<string, string | undefined>>;

function readVariable<T>(
  environment: Environment,
  { name, defaultValue, read, expected, secret }: Variable<T>,
): T {
  const text = environment[name] || defaultValue;
  const result = read(text);
  if (result === undefined)
    throw new ConfigError(
      `${name} is ${secret ? 'not usable' : `"${withoutSecrets(text)}"`}; it must be ${expected}.`,
    );
  return result;
}

/** Reads the configuration from environment variables. */
export function readConfig(environment: Environment): Config {
  const value = <K extends keyof Config>(key: K): Config[K] =>
    readVariable<Config[K]>(environment, variables[key]);
  return {
    host: value('host'),
    port: value('port'),
    database: value('database'),
    databasePool: value('databasePool'),
    production: value('production'),
    logLevel: value('logLevel'),
    ratePerMinute: value('ratePerMinute'),
    rateBurst: value('rateBurst'),
    failuresPerMinute: value('failuresPerMinute'),
    allowedOrigins: value('allowedOrigins'),
    trustedProxies: value('trustedProxies'),
    secretKeys: value('secretKeys'),
    secretKeyFile: value('secretKeyFile'),
    webhookHttp: value('webhookHttp'),
    webhookNetworks: value('webhookNetworks'),
    webhookProxy: value('webhookProxy'),
    worker: value('worker'),
    deliveryCalls: value('deliveryCalls'),
    deliveryCallsEach: value('deliveryCallsEach'),
    deliveryLease: value('deliveryLease'),
    metricsPort: value('metricsPort'),
    keepDeletedDays: value('keepDeletedDays'),
    keepClosedDays: value('keepClosedDays'),
  };
}

/** The one setting that commands beside the service need. */
export const readDatabaseConfig = (environment: Environment): DatabaseConfig =>
  readVariable(environment, variables.database);

/** One line for each variable, for `--help`. */
export const configHelp = (keys = Object.keys(variables) as (keyof Config)[]): string =>
  keys
    .map((key) => variables[key])
    .map(
      ({ name, defaultValue, description }) =>
        `  ${name.padEnd(32)} ${description}${defaultValue ? ` (${defaultValue})` : ''}`,
    )
    .join('\n');

/** What should be an address may hold a password, wherever in it. */
const withoutSecrets = (text: string): string => text.replace(/^(?!file:)([a-z][a-z0-9+.-]*:).*/is, '$1…');
