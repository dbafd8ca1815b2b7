import { plantFault } from './plant-fault.ts';
import { plantedFaults } from './planted-faults.ts';
import type { SeedRange, SeedResult } from './run-seeds.ts';

/* A process of its own, because a simulation replaces functions of Node. `runProcesses` starts it. */

const range: SeedRange = JSON.parse(process.argv[2] ?? '{}');
const fault = range.fault === undefined ? undefined : plantedFaults[range.fault];
if (fault) plantFault(fault);
// Imported after the fault is planted, and before the functions are replaced.
const { installEnvironment } = await import('./environment.ts');
const { runSeeds } = await import('./run-seeds.ts');
installEnvironment();
const isConnected = () => process.connected === true;
// A long result is lost if the process disconnects before it is sent.
const report = (result: SeedResult): Promise<void> =>
  new Promise((resolve) => {
    if (isConnected()) process.send?.(result, () => resolve());
    else resolve();
  });
await runSeeds(range, report, isConnected);
if (isConnected()) process.disconnect();
