import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Base } from './check.ts';

const run = promisify(execFile);
const git = async (...given: string[]): Promise<string> => (await run('git', given)).stdout.trim();

/**
 * The contract as it was: a file, or what a revision of this repository has at the contract's path.
 * @param given a file or a revision; where nothing is given, the point at which this branch has left main
 * @param api path of the contract's root
 * @returns undefined where nothing is given and there is no such point
 * @throws Error where neither a file nor a revision has that name, or the revision has no contract
 */
export async function baseOf(
  given: string | undefined,
  api: string,
): Promise<(Base & { close: () => Promise<void> }) | undefined> {
  if (given !== undefined && existsSync(given) && statSync(given).isFile())
    return { name: given, api: given, close: async () => {} };
  const revision = given ?? (await branchedAt());
  if (revision === undefined) return undefined;
  const commit = await git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).catch(() => {
    throw new Error(
      `--base ${revision} is neither a file nor a revision of this repository.\n  In a shallow clone: git fetch --unshallow`,
    );
  });
  const root = await git('rev-parse', '--show-toplevel');
  const folder = await mkdtemp(join(tmpdir(), 'parley-base-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    // A contract may refer to files anywhere in its repository.
    const archive = join(folder, 'base.tar');
    await run('git', ['-C', root, 'archive', '--format=tar', '-o', archive, commit]);
    const tree = join(folder, 'tree');
    await mkdir(tree);
    await run('tar', ['-xf', archive, '-C', tree]);
    const old = join(tree, relative(root, api));
    if (!existsSync(old))
      throw new Error(
        `${revision} (${commit.slice(0, 12)}) has no ${relative(root, api)}: give --base a file.`,
      );
    return {
      name:
        given === undefined
          ? `${commit.slice(0, 12)}, where this branch has left main`
          : `${given} (${commit.slice(0, 12)})`,
      api: old,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function branchedAt(): Promise<string | undefined> {
  for (const main of ['origin/main', 'main']) {
    const found = await git('merge-base', 'HEAD', main).catch(() => undefined);
    if (found) return found;
  }
  return undefined;
}
