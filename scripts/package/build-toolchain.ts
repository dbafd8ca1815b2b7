import { chmod, cp, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { licenseNotices } from '../contract/compile/bundle-modules.ts';
import { compilePackage } from '../lib/compile-package.ts';
import { deleteOutputFolder } from '../lib/folders.ts';
import { typesOfExports } from './types-of-exports.ts';
import { writeGuide } from './write-guide.ts';

const root = resolve(import.meta.dirname, '../..');
/** Files that the compiled code reads. */
const assets = [
  'scripts/contract/check/specification-only.yaml',
  'scripts/contract/docs/assets',
  'scripts/contract/docs/browser',
  'scripts/contract/init/project',
  'scripts/package/testing.cjs',
  'scripts/package/testing.d.cts',
  'server/lib/assert-node.mjs',
  'server/lib/require-node.mjs',
  'server/runtime/compile-cache.mjs',
  'LICENSE',
];

/** Packages that are not imported, but run or read by path. */
const runByPath = ['@fontsource-variable/inter', '@redocly/cli', 'openapi-fetch'];

/** Modules that use a small part of packages with many dependencies. The package contains that part. */
const bundled = [
  'scripts/contract/docs/diagram-figure.js',
  'scripts/contract/docs/reference/request-samples.js',
];

/** Packages that a new project gets from `init`. */
const forProjects = ['express', '@types/express', '@types/node', 'typescript'];

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Builds the package of the toolchain: compiled modules with types and source maps, and a manifest whose dependencies
 * are the packages that the modules import.
 * @param folder output folder, which is emptied first
 * @throws Error with the compiler's output, or with the name of an import that is not a dependency of this repository
 */
export async function buildToolchain(folder: string): Promise<{ dependencies: string[] }> {
  await deleteOutputFolder(folder, ['docs', 'scripts', 'server', 'package.json', 'README.md', 'LICENSE']);
  await compilePackage('scripts/package', folder, 'The toolchain');
  for (const asset of assets) await cp(join(root, asset), join(folder, asset), { recursive: true });
  await cp(join(root, 'scripts/package/README.md'), join(folder, 'README.md'));
  await writeGuide(join(folder, 'docs'));
  const bin = join(folder, 'scripts/commands/parley-contract.js');
  await writeFile(bin, `#!/usr/bin/env node\n${await readFile(bin, 'utf8')}`);
  await chmod(bin, 0o755);

  const { dependencies: own = {}, devDependencies: dev = {} }: Manifest = await readJson(
    join(root, 'package.json'),
  );
  const versions: Record<string, string> = { ...own, ...dev };
  const pick = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => {
        const version = versions[name];
        if (version === undefined) throw new Error(`The toolchain imports ${name}, which is no dependency.`);
        return [name, version];
      }),
    );
  for (const module of bundled) await bundlePackages(join(folder, module));
  const dependencies = [...new Set([...(await importedPackages(folder)), ...runByPath])].sort();
  const manifest: { version: string; exports: Parameters<typeof typesOfExports>[0] } = await readJson(
    join(root, 'scripts/package/package.json'),
  );
  const completed = {
    ...manifest,
    ...typesOfExports(manifest.exports),
    dependencies: pick(dependencies),
    // npm refuses to install a runtime of another version beside it.
    peerDependencies: { 'parley-contract-runtime': `~${manifest.version}` },
    peerDependenciesMeta: { 'parley-contract-runtime': { optional: true } },
    projectDependencies: pick(forProjects),
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(completed, null, 2)}\n`);
  return { dependencies };
}

/** Replaces a module with one that contains the packages it imports, and their licenses. */
async function bundlePackages(file: string): Promise<void> {
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    onLog: (_level, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
    // The toolchain's own modules stay modules.
    external: (id, from) => from === file && id.startsWith('.'),
    resolve: { modules: ['node_modules', join(root, 'node_modules')] },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  await writeFile(file, licenseNotices(Object.keys(output[0].modules)) + output[0].code);
  await rm(`${file}.map`);
}

const imports = /(^import |\}? from |\bimport\(|\brequire\(|\.resolve\()'([^'\n]+)'/gm;

/** Returns the packages that the modules in a folder import, including those of the portal's browser scripts. */
async function importedPackages(folder: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const file of glob(`${folder}/**/*.{js,ts}`, {
    exclude: (name) => /init\/project/.test(String(name)),
  }))
    for (const [, , specifier = ''] of (await readFile(file, 'utf8')).matchAll(imports))
      if (/^[@a-z]/.test(specifier) && !/^(node:|parley-contract)/.test(specifier)) {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (!builtinModules.includes(name)) found.add(name);
      }
  return found;
}

const readJson = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8'));
