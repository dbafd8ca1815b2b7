import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadContract } from '../../scripts/contract/load/load-contract.ts';
import { type OnCleanup, temporaryFolder } from './temporary-folder.ts';

/** Writes files to a folder, and creates the folders that they need. */
export async function writeFilesTo(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** Writes files to a folder that is removed after the test by default. @returns the path of the first file */
export async function writeFiles(files: Record<string, string>, onCleanup?: OnCleanup): Promise<string> {
  const folder = await temporaryFolder(onCleanup);
  await writeFilesTo(folder, files);
  return join(folder, Object.keys(files)[0] ?? '');
}

/** Writes a document to a file that is removed after the test by default. @returns its path */
export const writeDocument = (document: unknown, onCleanup?: OnCleanup): Promise<string> =>
  writeFiles({ 'openapi.json': JSON.stringify(document) }, onCleanup);

/** Loads a document that consists of files, of which the first is the root. @returns also what loading says */
export async function loadFiles(files: Record<string, string>) {
  const root = await writeFiles(files);
  const sentences: string[] = [];
  const contract = await loadContract(root, { onIgnored: (sentence) => sentences.push(sentence) });
  return { root, contract, sentences };
}

/** Loads a document as the commands do. */
export const loadDocument = async (document: object) =>
  loadContract(await writeDocument(document), { onIgnored: () => {} });
