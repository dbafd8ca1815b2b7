import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  jsx: 'preserve',
  types: ['node'],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/**
 * Writes a TypeScript project that can import the packages of this repository.
 * @param folder an empty folder
 * @returns the path of its `tsconfig.json`
 */
export async function writeConsumer(
  folder: string,
  sources: Readonly<Record<string, string>>,
): Promise<string> {
  const files = {
    'package.json': JSON.stringify({ name: 'shop', type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    ...sources,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir('node_modules'))
    if (!name.startsWith('.'))
      await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  return join(folder, 'tsconfig.json');
}

/** Returns the types of a contract as a source file. */
export const typesOf = async (contract: object): Promise<string> =>
  astToString(await openapiTS(JSON.stringify(contract)));
