import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { oncePer } from '../../../../scripts/lib/once.ts';
import { readYaml, writeFilesTo } from '../../../support/documents.ts';

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
  await writeFilesTo(folder, {
    'package.json': JSON.stringify({ name: 'shop', type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    ...sources,
  });
  return join(folder, 'tsconfig.json');
}

/** Returns the types of a contract as a source file. */
export const typesOf = oncePer(
  async (contract: object): Promise<string> =>
    astToString(await openapiTS(JSON.stringify(contract), { silent: true })),
  (contract) => JSON.stringify(contract),
);

/** Moves source files into a folder. */
export const folderOf = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** `Book` is received from three operations and a webhook, and sent to one. `Author` is a part of it. */
export const bookContract = (): { openapi: string } => readYaml(import.meta.dirname, 'book-contract.yaml');
