import { parentPort, workerData } from 'node:worker_threads';
import { compareContracts } from './compare.ts';
import type { Compared } from './compare-in-thread.ts';

const { before, after, today }: Compared = workerData;
parentPort?.postMessage(await compareContracts(before, after, today));
