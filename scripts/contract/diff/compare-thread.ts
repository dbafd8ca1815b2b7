import { parentPort, workerData } from 'node:worker_threads';
import { compareContracts } from './compare.ts';
import type { ComparedContracts } from './compare-in-thread.ts';

const { before, after, today }: ComparedContracts = workerData;
parentPort?.postMessage(await compareContracts(before, after, today));
