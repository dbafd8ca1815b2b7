import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../../server/lib/error-message.ts';
import type { PromiseName } from '../mock/mock-types.ts';
import { createDocumentFiles } from './document-files.ts';
import { parseYaml } from './parse-yaml.ts';

/** The promises of an API about compatible changes, each with the text that says where it is made. */
export type Promises = Readonly<Partial<Record<PromiseName, string>>>;

const names: readonly PromiseName[] = ['properties', 'enum-values', 'error-codes'];

/**
 * Reads what an API may add without a new major version, from `promises.yaml` in the folder of the contract.
 * @param api path of the contract's root file
 * @throws Error naming the file and what is wrong in it
 */
export async function readPromises(api: string): Promise<Promises> {
  const file = join(dirname(api), 'promises.yaml');
  if (!existsSync(file)) return {};
  const text = await createDocumentFiles(api)
    .read(file)
    .catch((error: unknown) => {
      throw new Error(`${file} ${errorMessage(error)}.`);
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
