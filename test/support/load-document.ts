import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadContract } from '../../scripts/contract/load/load-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Writes a document to a file that is removed after the test. @returns the path of the file */
export async function writeDocument(document: unknown): Promise<string> {
  const file = join(await temporaryFolder(), 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  return file;
}

/** Loads a document as the commands do. */
export const loadDocument = async (document: object) =>
  loadContract(await writeDocument(document), { onIgnored: () => {} });
