import { execFile } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { deleteOutputFolder } from '../../lib/empty-folder.ts';
import { nativeCompiler } from '../../lib/native-compiler.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/**
 * Builds the client package: modules, types, README and license.
 * @param folder output folder, which is emptied first
 * @throws Error with the compiler's output if the client does not compile
 */
export async function buildClient(folder: string): Promise<void> {
  await deleteOutputFolder(folder, ['client', 'generated', 'package.json', 'README.md', 'LICENSE']);
  const project = join(root, 'client/tsconfig.json');
  await run(process.execPath, [nativeCompiler, '-p', project, '--outDir', folder], { cwd: root }).catch(
    ({ stdout, message }) => {
      throw new Error(`The client does not compile.\n${stdout || message}`);
    },
  );
  // TypeScript rewrites import extensions in modules, but not in declaration files.
  for await (const file of glob(`${folder}/**/*.d.ts`)) {
    const types = await readFile(file, 'utf8');
    await writeFile(file, types.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  await mkdir(join(folder, 'generated'), { recursive: true });
  for (const [from, to] of [
    ['generated/events.js', 'generated/events.js'],
    ['generated/events.d.ts', 'generated/events.d.ts'],
    ['generated/mock.js', 'generated/mock.js'],
    ['generated/mock.d.ts', 'generated/mock.d.ts'],
    ['client/README.md', 'README.md'],
    ['LICENSE', 'LICENSE'],
  ] as const)
    await copyFile(join(root, from), join(folder, to));
  const { name, ...manifest } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'));
  const { info } = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
  const published = { name, version: info.version, ...manifest };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

/** Builds and packs the client. @returns the path of the tarball in `destination` */
export async function packClient(destination: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-client-'));
  try {
    await buildClient(folder);
    return await pack(folder, destination);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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
