import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { once } from '../../lib/once.ts';
import { type Base, SkippedCheck } from './check.ts';

const run = promisify(execFile);
const git = async (...given: string[]): Promise<string> => (await run('git', given)).stdout.trim();

/** Provides the old contract to compare with. A revision is extracted from the repository on demand. */
interface BaseSource {
  base: () => Promise<Base>;
  close: () => Promise<void>;
}

/**
 * Finds the old contract: the given file, or the file with the path `api` in the commit where HEAD left a revision of this
 * repository, so that what the revision has gained since does not look removed.
 * @param given a file or a revision (default: see `defaultBase`)
 * @param api path of the contract's root
 * @returns undefined if `given` is missing and there is no default
 * @throws Error if `given` is neither a file nor a revision, or has no commit in common with HEAD. The returned `base`
 * function throws SkippedCheck if that commit has no contract.
 */
export async function resolveBases(given: string | undefined, api: string): Promise<BaseSource | undefined> {
  if (given === '') throw new Error('--base is empty: set a revision or a file.');
  if (given !== undefined && existsSync(given) && statSync(given).isFile())
    return { base: async () => ({ name: given, api: given }), close: async () => {} };
  const found = given === undefined ? await defaultBase(api) : { revision: given, name: given };
  if (found === undefined) return undefined;
  const { revision } = found;
  const tip = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).catch(
    () => {
      throw new Error(
        `--base ${revision} is neither a file nor a revision of this repository.\n  Fetch its branch: git fetch origin BRANCH, in a shallow clone with --unshallow`,
      );
    },
  );
  const commit = await git('merge-base', 'HEAD', tip).catch(() => {
    throw new Error(
      `--base ${revision} has no commit in common with HEAD.\n  In a shallow clone: git fetch --unshallow`,
    );
  });
  const name = `${found.name} (${commit.slice(0, 12)})`;
  const folder = await mkdtemp(join(tmpdir(), 'parley-base-'));
  return {
    base: once(async () => ({ name, ...(await contractAt(commit, api, folder)) })),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A contract may refer to any file of its repository, so the whole revision is extracted. */
async function contractAt(
  commit: string,
  api: string,
  folder: string,
): Promise<Pick<Base, 'api' | 'project'>> {
  const root = await git('rev-parse', '--show-toplevel');
  const [archive, tree] = [join(folder, 'base.tar'), join(folder, 'tree')];
  await run('git', ['-C', root, 'archive', '--format=tar', '-o', archive, commit]);
  await mkdir(tree);
  await run('tar', ['-xf', archive, '-C', tree]);
  const path = relative(root, resolve(api));
  if (path.startsWith('..') || isAbsolute(path))
    throw new SkippedCheck(`${api} is outside of this repository: set --base to a file`);
  const old = join(tree, path);
  if (!existsSync(old))
    throw new SkippedCheck(
      `${commit.slice(0, 12)} has no ${path}. If it was moved, set --base to the old file; if it is new, use --skip changes`,
    );
  return { api: old, project: tree };
}

/**
 * Returns the commit that a pull request would be compared with: the merge base with the main branch. On that branch, or
 * without one, this is the previous commit, or the newest one if the contract has uncommitted changes.
 * @returns undefined if there is no repository, or no previous commit
 * @throws Error if the clone is shallow, so that the commit is missing
 */
async function defaultBase(api: string): Promise<{ revision: string; name: string } | undefined> {
  const found = await mergeBaseWithMain();
  if (found && !found.isHead) return { revision: found.commit, name: `the merge base with ${found.branch}` };
  // Git fails if the contract is outside of the repository. Then the base has no contract, which is reported later.
  const changes = await git('status', '--porcelain', '--', dirname(api)).catch(() => '');
  const [which, name] = changes === '' ? ['HEAD~1', 'the previous commit'] : ['HEAD', 'the newest commit'];
  const revision = await git('rev-parse', '--verify', '--quiet', which).catch(() => undefined);
  const isMissing = !found || !revision;
  if (isMissing && (await git('rev-parse', '--is-shallow-repository').catch(() => '')) === 'true')
    throw new Error(
      'This clone is shallow and lacks the commit to compare with.\n  Run: git fetch --unshallow',
    );
  return revision ? { revision, name } : undefined;
}

/**
 * Finds the commit where HEAD left the main branch.
 * @param folder a folder of the repository
 * @returns the commit, whether it is HEAD itself, and the branch; undefined if there is no repository, or no main branch
 */
export async function mergeBaseWithMain(
  folder = '.',
): Promise<{ commit: string; isHead: boolean; branch: string } | undefined> {
  const head = await git('-C', folder, 'rev-parse', 'HEAD').catch(() => undefined);
  for (const branch of ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']) {
    const commit = await git('-C', folder, 'merge-base', 'HEAD', branch).catch(() => undefined);
    if (commit) return { commit, isHead: commit === head, branch };
  }
  return undefined;
}
