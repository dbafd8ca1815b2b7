import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { patched, plantedFaults } from './planted-faults.ts';
import type { SeedRange } from './run-seeds.ts';

/* A thread of its own, because a simulation replaces functions of Node. `runThreads` starts it. */

const range: SeedRange = workerData;
const fault = range.fault === undefined ? undefined : plantedFaults[range.fault];
if (fault) {
  const source = patched(readFileSync(fault.file, 'utf8'), fault);
  const target = pathToFileURL(fault.file).href;
  registerHooks({
    load: (url, context, next) => ({ ...next(url, context), ...(url === target && { source }) }),
  });
}
// Imported after the fault is planted, and before the functions are replaced.
const { installEnvironment } = await import('./environment.ts');
const { runSeeds } = await import('./run-seeds.ts');
installEnvironment();
await runSeeds(range, (result) => parentPort?.postMessage(result));
