import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { findPostgresBinaries } from './scripts/lib/postgres-server.ts';
import { findChromium, hasProgram } from './test/support/installed-programs.ts';
import { inputsOfSlowTests, unchangedTests } from './test/support/unchanged-tests.ts';

const hasPostgres = Boolean(process.env.TEST_DATABASE_URL || findPostgresBinaries());
const missing = [
  hasPostgres
    ? ''
    : 'Skipped: tests on PostgreSQL. Install its programs (initdb, postgres), or set TEST_DATABASE_URL.',
  findChromium()
    ? ''
    : 'Skipped: tests of the portal in a browser. Install Chromium, or set PARLEY_CHROMIUM.',
  ...['python3', 'php'].map((name) =>
    hasProgram(name) ? '' : `Skipped: samples of code in ${name}. Install ${name}.`,
  ),
].filter((line) => line !== '');
// CI must run every test, except those of the alerts: the package with promtool also installs a server.
if (missing.length > 0 && process.env.TEST_ALL) throw new Error(missing.join('\n'));
if (!hasProgram('promtool')) missing.push('Skipped: tests of the alerts. Install promtool (Prometheus).');

const memory = '/dev/shm';
/** Tests write their databases and other files to memory if Linux has room for them: each commit waits for a disk. */
const temporaryFolder =
  existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 2 ** 32
    ? { TMPDIR: memory }
    : {};

/** Tests of what differs between the engines. `npm test` runs them on both, and all others on SQLite. */
const whereEnginesDiffer = [
  'test/**/*.postgres.test.ts',
  'test/server/storage/**/*.test.ts',
  'test/server/features/!(audit|contacts|webhooks)/*.test.ts',
  'test/server/delivery/{failures,ordering,transaction,withdrawn-deliveries}.test.ts',
  'test/server/own-contract/{list-pages,revoked-tokens}.test.ts',
  'test/server/features/contacts/*{contact,contacts,dataset,idempotency}.test.ts',
  'test/server/operator/{conversations,migrate,restore}.test.ts',
  'test/system/{first-start,walkthrough}.test.ts',
];

// `npm run test:long` runs every test that reaches a database on both engines.
const withDatabase = () =>
  globSync('test/**/*.test.ts').filter((file) =>
    /from '\.[^']*\/(service|databases|cli|empty-store|delivery-service)\.ts'/.test(
      readFileSync(file, 'utf8'),
    ),
  );

/** Tests of whole processes on one database: `npm test` runs them on one engine, PostgreSQL if it is installed. */
const onOneEngine = ['test/system/{first-start,walkthrough}.test.ts'];

/** Tests that start whole programs, which can take as long as a hundred other files. */
const isSlow = ({ moduleId }: TestSpecification): boolean =>
  moduleId.includes('/test/system/') ||
  Object.keys(inputsOfSlowTests).some((file) => moduleId.endsWith(file));

/** Starts the slowest files of each project first, so that none of them runs alone at the end. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}

/** Resolves packages as Node does. By itself, Vite adds `development`, with which some packages export their sources. */
const nodeConditions: Plugin = {
  name: 'node-conditions',
  configResolved: ({ ssr }) => {
    ssr.resolve = { ...ssr.resolve, conditions: ['node'] };
  },
};

export default defineConfig(async ({ mode }) => {
  // TEST_ALL does not force these tests: they are skipped because of what has changed, and not because of the machine.
  const unchanged = mode === 'long' ? { base: '', tests: [] } : await unchangedTests(process.argv.slice(2));
  const skipped = unchanged.tests.map(
    (test) => `Skipped: ${test}. Unchanged since ${unchanged.base}: ${inputsOfSlowTests[test]?.join(', ')}.`,
  );
  // Vitest reads this file several times, and initializes each reporter once.
  const skippedTests: Reporter = {
    onInit: () => void process.stderr.write([...missing, ...skipped].map((line) => `${line}\n`).join('')),
  };
  // Tests start processes and compile documents, which takes long on a busy machine with two cores.
  const timeout = mode === 'long' ? 600_000 : 300_000;
  const shared = {
    setupFiles: ['cleanup', 'matchers', 'coverage', 'output'].map((name) => `test/support/setup-${name}.ts`),
    env: {
      ...temporaryFolder,
      // `npm run test:long`: see test/support/sampling.ts.
      TEST_LONG: mode === 'long' ? 'yes' : '',
      // Tests start many processes, which need not compile the same files each time.
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
    },
    // One thread collects garbage, because the cores are busy. With more memory for young objects, it does so less often.
    execArgv: [
      '--v8-pool-size=0',
      '--max-semi-space-size=32',
      // Many tests use contracts without checking credentials.
      '--disable-warning=PARLEY_CONTRACT_AUTHENTICATE',
    ],
    // Test files share loaded modules, because loading them again for each file took half of the time.
    isolate: false,
    // Node runs the files as it runs the service, without Vite's transformation, which took an eighth of the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 60_000 } },
  };
  const embedded = {
    plugins: [nodeConditions],
    test: {
      ...shared,
      name: 'embedded',
      include: ['test/**/*.test.ts'],
      exclude: [
        'test/**/*.postgres.test.ts',
        ...(findChromium() ? [] : ['test/**/*.browser.*test.ts']),
        ...(hasPostgres && mode !== 'long' ? onOneEngine : []),
        ...unchanged.tests,
      ],
    },
  };
  const postgres = {
    plugins: [nodeConditions],
    test: {
      ...shared,
      name: 'postgres',
      include: mode === 'long' ? withDatabase() : whereEnginesDiffer,
      exclude: ['test/**/*.sqlite.test.ts', ...unchanged.tests],
      globalSetup: 'test/support/postgres-global-setup.ts',
    },
  };
  return {
    test: {
      // Tests spend part of their time waiting for processes and timeouts. (A percentage would never exceed the
      // number of cores.)
      maxWorkers: Math.ceil(1.5 * availableParallelism()),
      sequence: { sequencer: SlowestFirst },
      projects: hasPostgres ? [embedded, postgres] : [embedded],
      // One line per file, and the failures; titles of slow tests would be thousands of lines.
      reporters: [skippedTests, 'default'],
      slowTestThreshold: Number.POSITIVE_INFINITY,
      silent: 'passed-only' as const,
    },
  };
});
