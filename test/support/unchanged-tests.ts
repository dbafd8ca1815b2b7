import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { mergeBaseWithMain } from '../../scripts/contract/check/base.ts';

/** The files and folders that every test depends on. */
const common = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'test/support/'];

/** The tools for any contract, and the middleware in their package. */
const toolchain = [
  'scripts/',
  'server/contract/',
  'server/validation/explain/',
  'server/http/express/',
  'server/http/fetch/',
  'server/lib/',
  'server/validation/parameters/',
  'test/scripts/',
];

/** The service and its contract. Its tests import helpers of other tests. */
const service = ['client/', 'generated/', 'openapi/', 'scripts/', 'server/', 'test/server/', 'test/system/'];

/**
 * Slow tests that `npm test` skips if nothing that they depend on has changed, with the files and folders that they
 * depend on besides their own folder. `test/unchanged-tests.test.ts` checks that these include everything that they
 * import.
 */
export const inputsOfSlowTests: Readonly<Record<string, readonly string[]>> = {
  'test/scripts/contract/check/project-copies.test.ts': [
    ...service,
    ...toolchain,
    'parley-contract.config.ts',
    'redocly.yaml',
  ],
  'test/scripts/contract/diff/compare.test.ts': toolchain,
  'test/scripts/contract/diff/normalize.test.ts': [...toolchain, 'generated/', 'openapi/'],
  'test/scripts/contract/docs/hostile-portal.browser.test.ts': toolchain,
  'test/scripts/contract/load/wrong-types.test.ts': [...toolchain, 'generated/'],
  'test/scripts/contract/mock/other-contracts.test.ts': toolchain,
  'test/scripts/contract/survive/client-faults.test.ts': toolchain,
  'test/scripts/contract/uses/affected-consumers.test.ts': [
    ...toolchain,
    'client/',
    'generated/',
    'openapi/',
  ],
  'test/scripts/package/package.test.ts': [...toolchain, 'LICENSE'],
  'test/system/upgrade.postgres.test.ts': service,
};

/** Returns the files and folders (with a slash at the end) that a slow test depends on. */
export const inputsOf = (test: string): string[] => [
  ...common,
  `${dirname(test)}/`,
  ...(inputsOfSlowTests[test] ?? []),
];

/**
 * Finds the slow tests that need not run, because nothing that they depend on has changed.
 * @param given arguments of the command: a test runs if one of them names it
 * @param folder the root of the project
 * @returns the tests, and what the project was compared with; no test if that is unknown
 */
export async function unchangedTests(
  given: readonly string[],
  folder = '.',
): Promise<{ base: string; tests: string[] }> {
  const changes = await changesSinceBase(folder);
  const isNamed = (test: string) =>
    given.some(
      (argument) => /\/|\.ts$/.test(argument) && resolve(test).includes(argument.replace(/^\.\//, '')),
    );
  const tests = Object.keys(inputsOfSlowTests).filter(
    (test) => !isNamed(test) && !isChangedSinceBase(inputsOf(test), changes),
  );
  return { base: changes?.base ?? '', tests };
}

interface ChangesSinceBase {
  /** The commit with which the working tree is compared: `main`, or on main the previous commit. */
  base: string;
  /** Paths from the root of the project: committed, uncommitted and untracked changes. */
  paths: string[];
}

/**
 * Lists the files that differ from the commit that the contract check compares with.
 * @param folder the root of the project
 * @returns undefined if the base or the changes are unknown: without Git, outside of a checkout, in a shallow clone
 */
export async function changesSinceBase(folder = '.'): Promise<ChangesSinceBase | undefined> {
  const git = async (...given: string[]) =>
    (await promisify(execFile)('git', ['-C', folder, ...given], { maxBuffer: 2 ** 28 })).stdout;
  try {
    // A copy of the project inside another repository is no checkout: that repository may ignore the copy.
    const root = (await git('rev-parse', '--show-toplevel')).trim();
    if ((await realpath(root)) !== (await realpath(folder))) return undefined;
    const found = await mergeBaseWithMain(folder);
    if (!found) return undefined;
    const commit = found.isHead ? 'HEAD~1' : found.commit;
    const changed = await git('diff', '--name-only', '--no-renames', '-z', commit, '--');
    const untracked = await git('ls-files', '--others', '--exclude-standard', '-z');
    return {
      base: found.isHead ? 'the previous commit' : 'main',
      paths: `${changed}${untracked}`.split('\0').filter((path) => path !== ''),
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether a file that one of the inputs names has changed.
 * @param inputs files, and folders with a slash at the end
 * @param changes undefined if they are unknown: then everything counts as changed
 */
export const isChangedSinceBase = (
  inputs: readonly string[],
  changes: Pick<ChangesSinceBase, 'paths'> | undefined,
): boolean =>
  changes === undefined ||
  changes.paths.some((path) =>
    inputs.some((input) => (input.endsWith('/') ? path.startsWith(input) : path === input)),
  );
