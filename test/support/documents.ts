import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { loadContract } from '../../scripts/contract/load/load-contract.ts';
import { type Contract, createContract } from '../../scripts/contract/model/contract.ts';
import { type OnCleanup, temporaryFolder } from './temporary-folder.ts';

/* Short forms of what the documents of tests consist of. */

export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const number = { type: 'number' };
export const boolean = { type: 'boolean' };
export const array = (items: object) => ({ type: 'array', items });
export const strings = array(string);
export const integers = array(integer);

/** An object, some of whose properties are required. */
export const object = (properties: object, ...required: string[]) => ({
  ...{ type: 'object', properties },
  ...(required.length === 0 ? {} : { required }),
});

/** An object whose properties have any names. */
export const map = (values: object) => ({ type: 'object', additionalProperties: values });

export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The member of a body with its schema. */
export const content = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });

/** Responses with the same JSON, by their status codes. */
export const responses = (schema: object, ...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { description: 'Any.', ...content(schema) }]));

/** A document. @param more its other members, such as `components` */
export const documentOf = (paths: Record<string, object>, more: object = {}) => ({
  openapi: '3.1.1',
  info: { title: 'T', version: '1' },
  paths,
  ...more,
});

/** Reads a document as a contract. A document without a version is of OpenAPI 3.1. */
export const contractOf = (document: object): Contract => createContract({ openapi: '3.1.1', ...document });

/** Reads a YAML file that belongs to a test, such as a document or a list of cases. */
export const readYaml = (folder: string, name: string) =>
  parse(readFileSync(join(folder, name), 'utf8'), { merge: true, maxAliasCount: -1 });

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
