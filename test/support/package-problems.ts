import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/**
 * Returns what publint and attw find in a package.
 * @param tarball of the package in the folder
 * @param resolutions the ways of resolving modules for which types are checked (default: all)
 */
export async function packageProblems(
  folder: string,
  tarball: string,
  resolutions?: readonly string[],
): Promise<object[]> {
  const { messages } = await publint({ pkgDir: folder, strict: true });
  const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  if (!('problems' in checked)) return [...messages, checked];
  const ofTypes = checked.problems.filter(
    (problem) => !('resolutionKind' in problem) || (resolutions?.includes(problem.resolutionKind) ?? true),
  );
  return [...messages, ...ofTypes];
}
