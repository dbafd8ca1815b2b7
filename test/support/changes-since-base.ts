import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { mergeBaseWithMain } from '../../scripts/contract/check/base.ts';

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
