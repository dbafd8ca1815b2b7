import { parentPort, workerData } from 'node:worker_threads';
import { plantFault } from './plant-fault.ts';
import { plantedFaults } from './planted-faults.ts';
import type { SeedRange } from './run-seeds.ts';

/* A thread of its own, because a simulation replaces functions of Node. `runThreads` starts it. */

const range: SeedRange = workerData;
const fault = range.fault === undefined ? undefined : plantedFaults[range.fault];
if (fault) plantFault(fault);
// Imported after the fault is planted, and before the functions are replaced.
const { installEnvironment } = await import('./environment.ts');
const { runSeeds } = await import('./run-seeds.ts');
installEnvironment();
await runSeeds(range, (result) => parentPort?.postMessage(result));
