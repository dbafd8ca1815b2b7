import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { siblingModule } from '../../lib/sibling-module.ts';
import type { DocumentScope } from '../load/document-files.ts';
import type { ContractDiff } from './contract-diff.ts';

/** The input of the thread. */
export interface ComparedBase {
  /** The name of the old contract for messages. */
  name: string;
  /** Path of the root file of the old contract. */
  api: string;
  /** The files that the old contract may read. */
  scope: DocumentScope;
  /** The current date, such as `2026-11-22`. */
  today: string;
}

/** The output of the thread. */
export interface ComparedContracts {
  found: ContractDiff;
  before: OpenApiDocument;
  /** A sentence for each part of the old contract that all tools ignore. */
  ignored: string[];
}

/**
 * Loads the old contract and runs `compareContracts` in a worker thread, because the search for counterexamples would block
 * the main thread for seconds. The main thread loads the new contract concurrently.
 * @param after the new contract
 * @throws Error if the old contract cannot be read; the errors of `after` and of `compareContracts`
 */
export async function compareInThread(
  base: ComparedBase,
  after: Promise<OpenApiDocument>,
): Promise<ComparedContracts> {
  const thread = new Worker(siblingModule('compare-thread', import.meta.url), { workerData: base });
  try {
    // If the thread fails, `once` rejects with the thread's error.
    const [[compared]] = await Promise.all([
      once(thread, 'message'),
      after.then((document) => thread.postMessage(document)),
    ]);
    return compared;
  } finally {
    await thread.terminate();
  }
}
