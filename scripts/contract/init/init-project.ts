import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject } from '../../../server/lib/json-object.ts';

const project = join(import.meta.dirname, 'project');

const scripts = {
  start: 'node server.mts',
  test: 'tsc && parley-contract coverage --begin && node --test',
  coverage: 'parley-contract coverage',
  generate: 'parley-contract generate',
  lint: 'parley-contract lint',
  mock: 'parley-contract mock',
  docs: 'parley-contract docs',
  'contract:check': 'parley-contract check',
};

/**
 * Writes the files of a new project, and adds scripts and dependencies to its `package.json`.
 * @param folder created if needed
 * @param force whether to overwrite files that exist; `package.json` is never overwritten, only added to
 * @returns the names of the files that were written, and of those that were kept because they exist, and whether the project
 * has the runtime and the tools as dependencies
 * @throws Error if a file cannot be written
 */
export async function initProject(
  folder: string,
  force: boolean,
): Promise<{ written: string[]; kept: string[]; isInstalled: boolean }> {
  await mkdir(folder, { recursive: true });
  const [written, kept]: [string[], string[]] = [[], []];
  for (const name of (
    await Array.fromAsync(glob('{*,.github/**/*}.{mts,mjs,json,yaml,yml}', { cwd: project }))
  ).sort()) {
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    const isNew = await cp(join(project, name), target, { force, errorOnExist: true }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_FS_CP_EEXIST') return false;
        throw error;
      },
    );
    (isNew ? written : kept).push(name);
  }
  const isInstalled = await addToManifest(folder);
  return { written: ['package.json', ...written], kept, isInstalled };
}

/** Returns whether the manifest has the runtime and the tools. */
async function addToManifest(folder: string): Promise<boolean> {
  const file = join(folder, 'package.json');
  const before = await readFile(file, 'utf8').then(
    (text): unknown => JSON.parse(text),
    () => ({
      name: basename(resolve(folder))
        .toLowerCase()
        .replaceAll(/[^\w.-]+/g, '-'),
      private: true,
    }),
  );
  const given = isObject(before) ? before : {};
  const own = await ownPackage();
  const { express, typescript, '@types/express': types, '@types/node': node } = own.projectDependencies;
  const merged = {
    ...given,
    scripts: withScripts(given.scripts),
    dependencies: { express, ...Object(given.dependencies) },
    devDependencies: {
      '@types/express': types,
      '@types/node': node,
      typescript,
      ...Object(given.devDependencies),
    },
  };
  await writeFile(file, `${JSON.stringify(merged, null, 2)}\n`);
  // Neither package is on the registry, so this command adds no entry: a version could be that of another author's package.
  const { dependencies, devDependencies } = merged;
  return 'parley-contract-runtime' in dependencies && 'parley-contract' in devDependencies;
}

/** Adds the scripts that the project lacks. Replaces `npm init`'s `test` script, which only fails. */
function withScripts(given: unknown): Record<string, string> {
  const own: Record<string, string> = { ...Object(given) };
  if (own.test?.includes('no test specified')) delete own.test;
  return { ...scripts, ...own };
}

interface OwnPackage {
  /** The versions of packages that a new project needs. */
  projectDependencies: Record<string, string>;
}

async function ownPackage(): Promise<OwnPackage> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'));
}
