import { join } from 'node:path';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { inTemporaryFolder } from '../../lib/folders.ts';
import { mockUrl } from '../../lib/ports.ts';
import { coverageItemsOf } from '../../testing/coverage/coverage-items.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import type { ContractConfig } from '../config.ts';
import { buildSite } from '../docs/site.ts';
import { generateFiles } from '../generate/files.ts';
import type { Note } from '../load/diagnosis.ts';
import { readExamples } from '../mock-server/read-examples.ts';
import type { Contract } from '../model/contract.ts';

/** The tools that are run, without effects outside of a temporary folder. Each throws if it does not work. */
type Tools = Record<string, () => unknown>;

/**
 * Runs what the tools do with a contract before they do anything with a service, and returns a note about each that fails.
 * @param api path of the contract's root file
 */
export async function toolFailures(
  api: string,
  contract: Contract,
  config: ContractConfig,
  onProgress: (text: string) => void,
): Promise<Note[]> {
  const tools: Tools = {
    generate: () => generateFiles(api, 'doctor', config),
    docs: () =>
      inTemporaryFolder((folder) => buildSite({ api, out: join(folder, 'docs'), mock: mockUrl, config })),
    coverage() {
      const context = createSchemaContext(contract.document);
      coverageItemsOf(context, operationsOf(context));
    },
  };
  const notes: Note[] = [];
  for (const [name, run] of Object.entries(tools)) {
    onProgress(`running ${name}`);
    const message = await failureOf(run);
    // A tool stops at its first failure.
    if (message !== undefined)
      notes.push(noteOf(`${name} fails: ${message} Run doctor again after the correction.`));
  }
  return [...notes, ...(await unmockedOperations(contract))];
}

async function failureOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Returns a note with the place that a message names. */
function noteOf(sentence: string): Note {
  const [, pointer] = / at (\/\S*?)[.,:]?(?: |$)/.exec(sentence) ?? [];
  return pointer === undefined ? { sentence } : { pointer, sentence };
}

/** Finds the operations whose examples the mock cannot read or generate. */
async function unmockedOperations(contract: Contract): Promise<Note[]> {
  const examples = readExamples(contract);
  const notes: Note[] = [];
  for (const { id, pointer } of contract.operations) {
    const message = await failureOf(() => examples.operations[id]?.examples);
    if (message !== undefined) notes.push({ pointer, sentence: `mock fails for ${id}: ${message}` });
  }
  return notes;
}
