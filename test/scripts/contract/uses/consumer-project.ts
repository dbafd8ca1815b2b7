import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  jsx: 'preserve',
  types: ['node'],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/**
 * Writes a TypeScript project.
 * @param folder a folder with the installed packages
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
  return join(folder, 'tsconfig.json');
}

/** Returns the types of a contract as a source file. */
export const typesOf = async (contract: object): Promise<string> =>
  astToString(await openapiTS(JSON.stringify(contract), { silent: true }));

/** Moves source files into a folder. */
export const folderOf = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
