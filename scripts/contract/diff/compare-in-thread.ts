import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { canonicalJson } from '../../testing/schema-values/schema.ts';
import { type ContractDiff, unchanged } from './compare.ts';

/** What a thread is given to compare. */
export interface ComparedContracts {
  before: object;
  after: object;
  today: string;
}

/**
 * `compareContracts` in a thread of its own: looking for witnesses takes seconds, in which nothing else could go on.
 * @throws Error as `compareContracts` does
 */
export async function compareInThread(compared: ComparedContracts): Promise<ContractDiff> {
  if (canonicalJson(compared.before) === canonicalJson(compared.after)) return unchanged;
  const thread = new Worker(new URL('./compare-thread.ts', import.meta.url), { workerData: compared });
  try {
    // An error of the thread rejects it.
    const [changes]: ContractDiff[] = await once(thread, 'message');
    if (!changes) throw new Error('The comparison has told nothing.');
    return changes;
  } finally {
    await thread.terminate();
  }
}
