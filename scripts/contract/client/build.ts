import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { compilePackage } from '../../lib/compile-package.ts';
import { deleteOutputFolder, inTemporaryFolder } from '../../lib/folders.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/**
 * Builds the client package: modules, types, README and license.
 * @param folder output folder, which is emptied first
 * @throws Error with the compiler's output if the client does not compile
 */
export async function buildClient(folder: string): Promise<void> {
  await deleteOutputFolder(folder, ['client', 'generated', 'package.json', 'README.md', 'LICENSE']);
  await compilePackage('client/tsconfig.json', folder, 'The client');
  await mkdir(join(folder, 'generated'), { recursive: true });
  const generated = ['events.js', 'events.d.ts', 'mock.js', 'mock.d.ts'].map((name) => `generated/${name}`);
  for (const name of [...generated, 'LICENSE']) await copyFile(join(root, name), join(folder, name));
  await copyFile(join(root, 'client/README.md'), join(folder, 'README.md'));
  const { name, ...manifest } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'));
  const { info } = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
  const published = { name, version: info.version, ...manifest };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

/** Builds and packs the client. @returns the path of the tarball in `destination` */
export const packClient = (destination: string): Promise<string> =>
  inTemporaryFolder(async (folder) => {
    await buildClient(folder);
    return pack(folder, destination);
  });

/**
 * Packs a folder as npm would publish it.
 * @returns the path of the tarball in `destination`
 */
export async function pack(folder: string, destination: string): Promise<string> {
  await mkdir(destination, { recursive: true });
  const { stdout } = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    destination,
    resolve(folder),
  ]);
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (!packed) throw new Error(`npm pack created nothing from ${folder}.`);
  return join(destination, packed.filename);
}

/**
 * Bundles and minifies a module with its imports, and measures it.
 * @param entry path of the module
 * @returns the bundle, and its size in bytes after gzip
 * @throws Error if an import is not installed
 */
export async function bundleEntry(entry: string): Promise<{ code: string; bytes: number }> {
  const bundle = await rolldown({ input: resolve(entry), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  const [{ code, imports }] = output;
  // The bundler silently leaves out missing packages, which would make the measured size too small.
  if (imports.length > 0)
    throw new Error(`${entry} imports packages that are not installed: ${imports.join(', ')}.`);
  return { code, bytes: gzipSync(code).length };
}
