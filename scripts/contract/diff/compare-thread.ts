import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { loadContract } from '../load/load-contract.ts';
import { compareContracts } from './compare.ts';
import type { ComparedBase, ComparedContracts } from './compare-in-thread.ts';

const { name, api, scope, today }: ComparedBase = workerData;
const received = parentPort && once(parentPort, 'message');
const ignored: string[] = [];
const { document: before } = await loadContract(api, {
  ...scope,
  // A number that the toolchain has added is no promise.
  repeatedIds: 'removed',
  onIgnored: (sentence) => ignored.push(sentence),
}).catch((error: unknown) => {
  throw new Error(`the base ${name} cannot be read: ${errorMessage(error)}`);
});
const [after] = (await received) ?? [];
const found = await compareContracts(before, after, today);
parentPort?.postMessage({ found, before, ignored } satisfies ComparedContracts);
