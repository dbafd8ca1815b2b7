import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../../server/runtime/config/config.ts';
import { unknownVariables } from '../../../../server/runtime/config/config-help.ts';

const settings: [variable: string, text: string, name: string, value: unknown][] = [
  ['HOST', '::1', 'host', '::1'],
  ['PORT', '0', 'port', 0],
  ['DATABASE_URL', 'file:///tmp/a%20b/p.db', 'database', { engine: 'sqlite', file: '/tmp/a b/p.db' }],
  ['PARLEY_DATABASE_POOL_SIZE', '3', 'databasePoolSize', 3],
  ['NODE_ENV', 'production', 'production', true],
  ['LOG_LEVEL', 'warn', 'logLevel', 'warn'],
  ['PARLEY_RATE_PER_MINUTE', '0', 'ratePerMinute', 0],
  ['PARLEY_KEEP_ALIVE_SECONDS', '5', 'keepAliveSeconds', 5],
  [
    'PARLEY_ALLOWED_ORIGINS',
    'https://a.example, http://localhost:3000',
    'allowedOrigins',
    ['https://a.example', 'http://localhost:3000'],
  ],
  ['PARLEY_TRUSTED_PROXIES', '10.9.0.0/16', 'trustedProxies', ['10.9.0.0/16']],
  ['PARLEY_SECRET_KEY', Buffer.alloc(32, 7).toString('base64'), 'secretKey', [Buffer.alloc(32, 7)]],
  [
    'PARLEY_WEBHOOK_ALLOWED_NETWORKS',
    '10.1.0.0/16, fd12::/16',
    'webhookAllowedNetworks',
    ['10.1.0.0/16', 'fd12::/16'],
  ],
  [
    'PARLEY_WEBHOOK_PROXY',
    'http://u:p@proxy.example:1',
    'webhookProxy',
    new URL('http://u:p@proxy.example:1'),
  ],
  ['PARLEY_EMBEDDED_WORKER', 'no', 'embeddedWorker', false],
  ['PARLEY_DELIVERY_CONCURRENCY', '32', 'deliveryConcurrency', 32],
  ['PARLEY_DRAIN_SECONDS', '5', 'drainSeconds', 5],
  ['PARLEY_METRICS_PORT', '0', 'metricsPort', 0],
  ['PARLEY_RETENTION_DELETED_DAYS', '30', 'retentionDeletedDays', 30],
  ['PARLEY_RETENTION_CLOSED_DAYS', '700', 'retentionClosedDays', 700],
];

test('reads every setting from its environment variable', () => {
  const environment = Object.fromEntries(settings.map(([variable, text]) => [variable, text]));
  const expected = Object.fromEntries(settings.map(([, , name, value]) => [name, value]));
  expect(readConfig(environment)).toEqual(expected);
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['DATABASE_URL', 'parley.db'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_ENV', 'prod'],
  ['HOST', 'a b'],
  ['PARLEY_KEEP_ALIVE_SECONDS', '0'],
  ['PARLEY_ALLOWED_ORIGINS', 'app.example.com'],
])('rejects the setting %s=%s with its name and the valid values', (name, text) => {
  const read = () => readConfig({ [name]: text });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^${name} is "${text}"; it must be .+`));
});

test('the error about an invalid DATABASE_URL does not contain the password', () => {
  const read = () => readConfig({ DATABASE_URL: 'postgres://u:p@ss@w:rd@db/x?sslmode=allow' });
  expect(read).toThrow(ConfigError);
  expect(read).not.toThrow(/ss@w|p@ss|rd@/);
});

test('reads encryption keys, or the path of a file with them', () => {
  const read = (text: string) => readConfig({ PARLEY_SECRET_KEY: text }).secretKey;
  expect(read('file:///run/secrets/a%20key')).toEqual({ file: '/run/secrets/a key' });
  expect(read('file:data/a.key')).toEqual({ file: `${process.cwd()}/data/a.key` });
  const keys = [7, 8].map((byte) => Buffer.alloc(32, byte));
  expect(read(keys.map((key) => key.toString('base64')).join(','))).toEqual(keys);
  expect(() => read('file:')).toThrow(ConfigError);
});

test('rejects an invalid PARLEY_SECRET_KEY without printing it', () => {
  for (const key of [
    'hunter2',
    Buffer.alloc(31).toString('base64'),
    `${Buffer.alloc(32).toString('base64')}!`,
  ]) {
    const read = () => readConfig({ PARLEY_SECRET_KEY: key });
    expect(read).toThrow(/PARLEY_SECRET_KEY is not usable; it must be 32 bytes in base64/);
    expect(read).not.toThrow(key);
  }
});

test.each(['10.0.0.0', '10.0.0.0/33', 'fd00::/129', 'intranet/8', '10.0.0.0/', '/8'])(
  'rejects %s as a webhook network',
  (text) => {
    expect(() => readConfig({ PARLEY_WEBHOOK_ALLOWED_NETWORKS: text })).toThrow(ConfigError);
  },
);

test('names unknown PARLEY variables with the most similar setting', () => {
  const given = { PARLEY_RATE_PER_MINTUE: '5', PARLEY_RATE: '5', PARLEY_DRAIN_SECONDS: '5', OTHER: 'x' };
  expect(unknownVariables(given)).toEqual([
    { name: 'PARLEY_RATE_PER_MINTUE', nearest: 'PARLEY_RATE_PER_MINUTE' },
    { name: 'PARLEY_RATE', nearest: 'PARLEY_RATE_PER_MINUTE' },
  ]);
});
