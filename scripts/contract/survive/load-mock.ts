import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TableOf } from '../../../server/contract/handler-types.ts';
import { inTemporaryFolder } from '../../lib/folders.ts';
import type { ContractConfig } from '../config.ts';
import { generatePageMock, pageMockOptions } from '../generate/page-mock/module.ts';
import type { GeneratedMock } from '../mock/mock-types.ts';
import type { Contract } from '../model/contract.ts';

/** The generated mock of any contract, whose operations are not known to the compiler. */
export type MockModule = Pick<GeneratedMock<AnyTypes, TableOf<AnyTypes>>, 'createMock' | 'scenarios'>;

type AnyTypes = Record<string, unknown>;

/**
 * Compiles the mock of a contract, and loads it.
 * @param api path of the contract's root file
 * @throws Error if the mock cannot be compiled, or the promises cannot be read
 */
export async function loadMock(
  { document }: Contract,
  config: ContractConfig,
  api: string,
): Promise<MockModule> {
  const files = await generatePageMock(document, await pageMockOptions(config, api));
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'mock.mjs');
    await writeFile(file, files['mock.js']);
    const loaded: MockModule = await import(pathToFileURL(file).href);
    return loaded;
  });
}
