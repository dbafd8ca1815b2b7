import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PromiseName } from '../mock/mock-types.ts';
import { createDocumentFiles, RefusedDocument } from './document-files.ts';
import { parseYaml } from './parse-yaml.ts';

/** The promises of an API about compatible changes, each with the text that says where it is made. */
export type Promises = Readonly<Partial<Record<PromiseName, string>>>;

const names: readonly PromiseName[] = ['properties', 'enum-values', 'error-codes'];

/**
 * Reads what an API may add without a new major version, from `promises.yaml` in the folder of the contract.
 * @param api path of the contract's root file
 * @param given path of another file
 * @throws Error naming the file and what is wrong in it
 */
export async function readPromises(api: string, given?: string): Promise<Promises> {
  const file = given ?? join(dirname(api), 'promises.yaml');
  if (given === undefined && !existsSync(file)) return {};
  const read = given === undefined ? createDocumentFiles(api).read(file) : readFile(file, 'utf8');
  const text = await read.catch((error: unknown) => {
    if (error instanceof RefusedDocument) throw new Error(`${file} ${error.message}.`);
    throw new Error(`The promises ${file} cannot be read. Name another file: --promises FILE`);
  });
  const root = parseYaml(file, text);
  const entries = Object.entries(root !== null && typeof root === 'object' ? root : {});
  const promises = entries.map(([name, where]): [PromiseName, string] => {
    const known = names.find((each) => each === name);
    if (known !== undefined && typeof where === 'string' && where !== '') return [known, where];
    throw new Error(
      `${file} has ${name}: ${JSON.stringify(where)}. Allowed are ${names.join(', ')}, each with a text that says where it is promised.`,
    );
  });
  return Object.fromEntries(promises);
}

/** Returns the names of promises, in a fixed order. */
export const namesIn = (promises: Promises): PromiseName[] =>
  names.filter((name) => promises[name] !== undefined);
