import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { siblingModule } from '../../lib/sibling-module.ts';
import { canonicalJson } from '../../testing/schema-values/schema.ts';
import { type ContractDiff, unchanged } from './contract-diff.ts';

/** The input of the thread. */
export interface ComparedContracts {
  before: object;
  after: object;
  today: string;
}

/**
 * Runs `compareContracts` in a worker thread, because the search for counterexamples would block the main thread for
 * seconds.
 * @throws the errors of `compareContracts`
 */
export async function compareInThread(compared: ComparedContracts): Promise<ContractDiff> {
  if (canonicalJson(compared.before) === canonicalJson(compared.after)) return unchanged;
  const thread = new Worker(siblingModule('compare-thread', import.meta.url), { workerData: compared });
  try {
    // If the thread fails, `once` rejects with the thread's error.
    const [changes]: ContractDiff[] = await once(thread, 'message');
    if (!changes) throw new Error('The comparison returned nothing.');
    return changes;
  } finally {
    await thread.terminate();
  }
}
