import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { compilePackage } from '../lib/compile-package.ts';
import { deleteOutputFolder } from '../lib/folders.ts';
import { typesOfExports } from '../package/types-of-exports.ts';
import { writeGuide } from '../package/write-guide.ts';

const root = resolve(import.meta.dirname, '../..');
const own = join(root, 'scripts/runtime-package');

/** The folders of the two module systems, and what each tells Node about its files. */
const systems = { esm: 'module', cjs: 'commonjs' } as const;

/** The packages that the runtime imports: the parser of `multipart/form-data`. */
const imported = ['@fastify/busboy'];

/**
 * Builds the package of the runtime: two modules for Express and for `fetch`, as ES modules and as CommonJS, with types.
 * @param folder output folder, which is emptied first
 * @throws Error with the compiler's output, or with the name of an import that is not a dependency of this package
 */
export async function buildRuntime(folder: string): Promise<{ dependencies: string[] }> {
  await deleteOutputFolder(folder, ['cjs', 'docs', 'esm', 'package.json', 'README.md', 'LICENSE']);
  const bundle = await rolldown({
    input: { express: join(own, 'express.ts'), fetch: join(own, 'fetch.ts') },
    external: (id) => id.startsWith('node:') || imported.includes(id),
    platform: 'node',
    transform: { target: 'node18' },
  });
  for (const [format, type] of Object.entries(systems)) {
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' };
    await bundle.write({ dir: join(folder, format), format: format === 'esm' ? 'esm' : 'cjs', ...names });
    await writeFile(join(folder, format, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  await bundle.close();
  await compilePackage('scripts/runtime-package', join(folder, 'esm/types'), 'The runtime', (types) =>
    // Compilers before TypeScript 5.7 know no type parameter of Uint8Array.
    types.replaceAll(/Uint8Array<ArrayBuffer(Like)?>/g, 'Uint8Array'),
  );
  await cp(join(folder, 'esm/types'), join(folder, 'cjs/types'), { recursive: true });
  await cp(join(own, 'README.md'), join(folder, 'README.md'));
  await writeGuide(join(folder, 'docs'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { dependencies: versions } = await readJson(join(root, 'package.json'));
  const dependencies = Object.fromEntries(imported.map((name) => [name, versions?.[name] ?? '']));
  // Both packages have one version, which says whether they fit each other.
  const { version } = await readJson(join(root, 'scripts/package/package.json'));
  const manifest = await readJson(join(own, 'package.json'));
  const completed = { ...manifest, ...typesOfExports(manifest.exports ?? {}), version, dependencies };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(completed, null, 2)}\n`);
  return { dependencies: imported };
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  exports?: Parameters<typeof typesOfExports>[0];
}

const readJson = async (file: string): Promise<Manifest> => JSON.parse(await readFile(file, 'utf8'));
