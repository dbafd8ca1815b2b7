import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/**
 * Returns what publint and attw find in the tarball of a package.
 * @param resolutions the ways of resolving modules for which types are checked (default: all)
 */
export async function packageProblems(tarball: string, resolutions?: readonly string[]): Promise<object[]> {
  const bytes = await readFile(tarball);
  // publint would otherwise run `npm pack` again.
  const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  const checked = await checkPackage(createPackageFromTarballData(bytes));
  if (!('problems' in checked)) return [...messages, checked];
  const ofTypes = checked.problems.filter(
    (problem) => !('resolutionKind' in problem) || (resolutions?.includes(problem.resolutionKind) ?? true),
  );
  return [...messages, ...ofTypes];
}
