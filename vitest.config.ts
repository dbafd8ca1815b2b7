import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { postgresPrograms } from './scripts/machines/cluster.ts';
import { browserProgram, hasProgram } from './test/programs.ts';

const hasPostgres = Boolean(process.env.TEST_DATABASE_URL || postgresPrograms());
const missing = [
  hasPostgres
    ? ''
    : 'The tests run on the embedded database only: for PostgreSQL its programs (initdb, postgres) or TEST_DATABASE_URL are needed.',
  browserProgram
    ? ''
    : 'The tests of the portal in a browser are left out: Chromium, or PARLEY_CHROMIUM, is needed.',
  hasProgram('strace') ? '' : 'The loss of power is not replayed: strace is needed.',
  ...['python3', 'php'].map((name) =>
    hasProgram(name) ? '' : `The receiver of webhooks for ${name} is not tried: the program is not there.`,
  ),
].filter((line) => line !== '');
// The gate must try everything.
if (missing.length > 0 && process.env.PARLEY_TEST_ALL) throw new Error(missing.join('\n'));
for (const line of missing) process.stderr.write(`${line}\n`);

// Whatever does not reach a database is the same on both.
const withDatabase = globSync('test/**/*.test.ts').filter((file) =>
  /from '\.[^']*\/(service|fresh|operator-on|delivering|processes)\.ts'/.test(readFileSync(file, 'utf8')),
);

/** What is decided before any database is asked; `npm run test:long` tries it on both all the same. */
const beforeDatabase = [
  'test/pipeline/**',
  'test/conformance/**',
  'test/coverage/**',
  'test/contract/refusals.test.ts',
  // What each statement gives away is tried on both (test/storage/companies-apart.test.ts).
  'test/contract/tenants.test.ts',
  'test/client/**',
  'test/start/start.test.ts',
  'test/start/discretion.test.ts',
  'test/start/day-in-the-life.test.ts',
];

/** What several processes do to one database: where PostgreSQL is, `npm test` tries it there, `npm run test:long` on both. */
const betweenProcesses = ['test/races/**', 'test/storage/rolling-upgrade.test.ts'];

export default defineConfig(({ mode }) => {
  const shared = {
    setupFiles: ['test/to-be-refused.ts', 'test/keep-recording.ts'],
    env: {
      // `npm run test:long`: see test/sample.ts.
      PARLEY_TEST_LONG: mode === 'long' ? 'yes' : '',
      // The many processes that tests start need not compile the same files each time.
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
    },
    // Files share what they load: half of the time went into loading it anew for each of them.
    isolate: false,
    // Processes are started and documents compiled; on a busy machine of two cores that takes a while.
    testTimeout: mode === 'long' ? 600_000 : 30_000,
  };
  const embedded = {
    test: {
      ...shared,
      name: 'embedded',
      include: ['test/**/*.test.ts'],
      exclude: [
        'test/**/*postgres*.test.ts',
        ...(browserProgram ? [] : ['test/**/*browser*.test.ts']),
        ...(hasPostgres && mode !== 'long' ? betweenProcesses : []),
      ],
    },
  };
  const postgres = {
    test: {
      ...shared,
      name: 'postgres',
      include: withDatabase,
      exclude: ['test/**/*sqlite*.test.ts', ...(mode === 'long' ? [] : beforeDatabase)],
      globalSetup: 'test/databases/global-setup.ts',
    },
  };
  return {
    test: {
      // A part of the work is waiting for processes and time-outs. (A share in percent is never more than the cores.)
      maxWorkers: Math.ceil(1.5 * availableParallelism()),
      projects: hasPostgres ? [embedded, postgres] : [embedded],
    },
  };
});
