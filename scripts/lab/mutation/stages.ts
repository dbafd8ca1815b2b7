import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A check that may kill a mutant. The checks in a list run in order. */
export interface Stage {
  name: string;
  /** @returns the failure; undefined if it passed */
  findFailure(folder: string): Promise<string | undefined>;
}

/** Returns all test files except those in the given folders of `test/`. */
const without = (folder: string, left: readonly string[]): string[] =>
  globSync('test/**/*.test.ts', { cwd: folder }).filter(
    (file) => !left.some((each) => file.startsWith(join('test', each) + sep)),
  );

/** Tests of the tools, which bugs in the service do not affect. */
const ofTools = [
  'scripts/testing',
  'scripts/lab/mutation',
  'scripts/contract/lint',
  'scripts/contract/generate',
];

/** Slow tests run last. */
const slow = ['server/storage', 'scripts/contract/mock', 'server/operator', 'system'];

/** The checks of this project, starting with those derived from the contract. */
export const stages: readonly Stage[] = [
  { name: 'types', findFailure: (folder) => failure(folder, ['node_modules/.bin/tsc'], /error TS\d+: .*/) },
  {
    name: 'lint',
    findFailure: (folder) => failure(folder, ['scripts/commands/lint.ts'], /\[\d+\] .*/),
  },
  {
    name: 'conformance',
    findFailure: (folder) =>
      failingTest(folder, 'embedded', ['test/scripts/testing/conformance/conformance.test.ts']),
  },
  {
    name: 'parity',
    findFailure: (folder) =>
      failingTest(folder, 'embedded', ['test/scripts/testing/parity/parity.sqlite.test.ts']),
  },
  {
    name: 'tests',
    findFailure: (folder) => failingTest(folder, 'embedded', without(folder, [...ofTools, ...slow])),
  },
  {
    name: 'slow tests',
    findFailure: (folder) =>
      failingTest(
        folder,
        'embedded',
        slow.map((each) => `test/${each}/`),
      ),
  },
  {
    name: 'tests on PostgreSQL',
    findFailure: (folder) => failingTest(folder, 'postgres', without(folder, ofTools)),
  },
];

/** Returns the check that is known to kill a mutant. @param killedBy `types`, `lint`, or `FILE > TEST` */
export function killingStage(killedBy: string): Stage {
  const [file = '', test] = parseKilledBy(killedBy);
  const found = stages.find(({ name }) => name === killedBy);
  return found ?? { name: file, findFailure: (folder) => failingTest(folder, projectOf(file), [file], test) };
}

/** Returns the checks that are known to kill the given mutants. The test files of a vitest project are one check. */
export function killingStages(all: readonly string[]): Stage[] {
  const own = stages.filter(({ name }) => all.includes(name));
  const files = [...new Set(all.flatMap((killedBy) => parseKilledBy(killedBy).slice(0, -1)))];
  const tests = Array.from(
    Map.groupBy(files, projectOf),
    ([project, some]): Stage => ({
      name: `${some.length} files of tests, ${project}`,
      findFailure: (folder) => failingTest(folder, project, some),
    }),
  );
  return [...own, ...tests];
}

/** The vitest project of a test file (see vitest.config.ts). */
const projectOf = (file: string): 'postgres' | 'embedded' =>
  /postgres|^test\/system\/concurrency\/|rolling-upgrade/.test(file) ? 'postgres' : 'embedded';

/** Splits `FILE > TEST` into its two parts. Any other text, such as `types`, is returned as one part. */
export const parseKilledBy = (killedBy: string): string[] => {
  const cut = killedBy.indexOf(' > ');
  return cut < 0 ? [killedBy] : [killedBy.slice(0, cut), killedBy.slice(cut + 3)];
};

// The whole suite takes 3 minutes on two cores. The timeout also ends tests that hang.
const maxMs = 900_000;

interface Ended {
  code: number | null;
  output: string;
}

function run(folder: string, given: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, given, {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
      timeout: maxMs,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (data) => {
        output += data;
      });
    child.on('close', (code) => resolve({ code, output }));
  });
}

async function failure(folder: string, given: string[], line: RegExp): Promise<string | undefined> {
  const { code, output } = await run(folder, given);
  return code === 0
    ? undefined
    : (line.exec(output)?.[0] ?? output.trim().split('\n')[0] ?? 'it failed').slice(0, 160);
}

interface TestReport {
  testResults: { name: string; message?: string; assertionResults: { status: string; fullName: string }[] }[];
}

/**
 * Runs tests until one fails.
 * @param only the name of the test to run (default: all)
 * @returns the failure; undefined if all tests passed
 */
export async function failingTest(
  folder: string,
  project: string,
  files: string[],
  only?: string,
): Promise<string | undefined> {
  const report = join(folder, 'node_modules', '.cache', `${project}.json`);
  await rm(report, { force: true });
  const given = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--bail', '1'];
  const { code, output } = await run(folder, [
    ...given,
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...(only === undefined ? [] : ['--testNamePattern', only.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')]),
    ...files,
  ]);
  if (code === 0) return undefined;
  const results: TestReport = JSON.parse(await readFile(report, 'utf8').catch(() => '{"testResults":[]}'));
  for (const { name, message, assertionResults } of results.testResults) {
    const file = name.slice(folder.length + 1);
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return `${file}: ${failed.fullName.trim()}`;
    if (message) return `${file}: ${message.split('\n')[0]}`;
  }
  // A run without a report is an error, not a failed test.
  throw new Error(`vitest has told nothing of ${files.join(', ')}: ${output.trim().split('\n').at(-1)}`);
}
