import { databaseUrlFormats, parseDatabaseUrl } from './database-url.ts';
import {
  booleanParser,
  integerParser,
  networksParser,
  parseOrigins,
  parseProxy,
  parseSecretKey,
  retentionDaysParser,
  webhookNetworksParser,
} from './parsers.ts';

export interface Variable<T> {
  name: string;
  defaultValue: string;
  /** The table of the guide on installation that lists it. */
  topic: 'network' | 'database' | 'webhooks' | 'operation';
  /** Shown by `--help`, and in that table. Ends with the default if that is not `defaultValue`. */
  description: string;
  /** Returns undefined for a value that the variable does not accept. */
  read: (text: string) => T | undefined;
  /** The accepted values, for error messages. */
  expected: string;
  /** The value is never printed. */
  secret?: true;
  /** Workers ignore it. */
  apiOnly?: true;
}

const environments = ['production', 'development', 'test'];
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The settings, by their key in `Config`. */
export const variables = {
  host: {
    name: 'HOST',
    defaultValue: '127.0.0.1',
    topic: 'network',
    description: 'address to listen on; 0.0.0.0 for all',
    read: (text: string) => (/^[A-Za-z0-9.:-]+$/.test(text) ? text : undefined),
    expected: 'an address or a host name',
  },
  port: {
    name: 'PORT',
    defaultValue: '8080',
    topic: 'network',
    description: 'port to listen on; 0 takes a free one',
    ...integerParser(0, 65_535),
    apiOnly: true,
  },
  database: {
    name: 'DATABASE_URL',
    defaultValue: 'file:data/parley.db',
    topic: 'database',
    description: 'database: file:PATH for the embedded one, postgres://… for PostgreSQL',
    read: parseDatabaseUrl,
    expected: databaseUrlFormats,
  },
  databasePoolSize: {
    name: 'PARLEY_DATABASE_POOL_SIZE',
    defaultValue: '10',
    topic: 'database',
    description: 'maximum number of connections to PostgreSQL per process',
    ...integerParser(1, 1_000),
  },
  production: {
    name: 'NODE_ENV',
    defaultValue: 'development',
    topic: 'network',
    description: 'production, development or test; production creates no demo company',
    // Unknown values are rejected: a misspelt "production" would create a demo company and print its token.
    read: (text: string) => (environments.includes(text) ? text === 'production' : undefined),
    expected: environments.join(', '),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    defaultValue: 'info',
    topic: 'operation',
    description: 'lowest level that is logged: trace, debug, info, warn, error, fatal or silent',
    read: (text: string) => (logLevels.includes(text) ? text : undefined),
    expected: logLevels.join(', '),
  },
  ratePerMinute: {
    name: 'PARLEY_RATE_PER_MINUTE',
    defaultValue: '1200',
    topic: 'network',
    description: 'requests per minute, token and process; 0 for no limits, also of failed authentications',
    ...integerParser(0, 1_000_000),
    apiOnly: true,
  },
  allowedOrigins: {
    name: 'PARLEY_ALLOWED_ORIGINS',
    defaultValue: '',
    topic: 'network',
    description: 'origins whose pages may call the API (CORS), separated by commas (default: none)',
    read: parseOrigins,
    expected: 'origins such as https://app.example.com, separated by commas',
    apiOnly: true,
  },
  trustedProxies: {
    name: 'PARLEY_TRUSTED_PROXIES',
    defaultValue: '',
    topic: 'network',
    description: 'networks of proxies whose X-Forwarded-For is trusted, separated by commas (default: none)',
    ...networksParser,
    apiOnly: true,
  },
  keepAliveSeconds: {
    name: 'PARLEY_KEEP_ALIVE_SECONDS',
    defaultValue: '65',
    topic: 'network',
    description: 'seconds after which idle connections are closed; longer than in a proxy in front',
    ...integerParser(1, 3_600),
    apiOnly: true,
  },
  /** The keys, of which the first encrypts and all decrypt, or the path of a file with them. Null for the default file. */
  secretKey: {
    name: 'PARLEY_SECRET_KEY',
    defaultValue: '',
    topic: 'database',
    description:
      "32 bytes in base64 that encrypt webhook secrets, or file:PATH (default: the embedded database's path and '.key', or data/parley.db.key)",
    read: parseSecretKey,
    expected:
      '32 bytes in base64, as printed by: openssl rand -base64 32; older keys for decryption follow after commas; or file:PATH',
    secret: true,
  },
  webhookAllowedNetworks: {
    name: 'PARLEY_WEBHOOK_ALLOWED_NETWORKS',
    defaultValue: '',
    topic: 'webhooks',
    description:
      'networks that are not public but that webhooks may call, separated by commas; http:NETWORK allows http too (default: none)',
    ...webhookNetworksParser,
  },
  webhookProxy: {
    name: 'PARLEY_WEBHOOK_PROXY',
    defaultValue: '',
    topic: 'webhooks',
    description: 'HTTP proxy for webhook requests (default: none)',
    read: parseProxy,
    expected: 'an address such as http://proxy.example.com:3128',
    secret: true,
  },
  embeddedWorker: {
    name: 'PARLEY_EMBEDDED_WORKER',
    defaultValue: 'yes',
    topic: 'webhooks',
    description: 'whether this process sends webhooks; no if you start: npm run worker',
    ...booleanParser,
    apiOnly: true,
  },
  deliveryConcurrency: {
    name: 'PARLEY_DELIVERY_CONCURRENCY',
    defaultValue: '1280',
    topic: 'webhooks',
    description: 'maximum number of webhook requests in flight per worker',
    ...integerParser(1, 10_000),
  },
  drainSeconds: {
    name: 'PARLEY_DRAIN_SECONDS',
    defaultValue: '0',
    topic: 'operation',
    description: 'seconds after SIGTERM in which /readyz is 503 but requests are still served',
    ...integerParser(0, 3_600),
    apiOnly: true,
  },
  metricsPort: {
    name: 'PARLEY_METRICS_PORT',
    defaultValue: '',
    topic: 'operation',
    description:
      'port of /metrics for Prometheus, /healthz and /readyz, on HOST; 0 takes a free one (default: none)',
    read: (text: string) => (text === '' ? null : integerParser(0, 65_535).read(text)),
    expected: integerParser(0, 65_535).expected,
  },
  retentionDeletedDays: {
    name: 'PARLEY_RETENTION_DELETED_DAYS',
    defaultValue: '',
    topic: 'operation',
    description: 'days after which deleted data is erased (default: never)',
    ...retentionDaysParser,
    apiOnly: true,
  },
  retentionClosedDays: {
    name: 'PARLEY_RETENTION_CLOSED_DAYS',
    defaultValue: '',
    topic: 'operation',
    description: 'days after the last activity after which closed conversations are erased (default: never)',
    ...retentionDaysParser,
    apiOnly: true,
  },
} satisfies Record<string, Variable<unknown>>;
