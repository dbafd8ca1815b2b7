import { plantFault } from './plant-fault.ts';
import { plantedFaults } from './planted-faults.ts';
import type { SeedRange } from './run-seeds.ts';

/* A process of its own, because a simulation replaces functions of Node. `runProcesses` starts it. */

const range: SeedRange = JSON.parse(process.argv[2] ?? '{}');
const fault = range.fault === undefined ? undefined : plantedFaults[range.fault];
if (fault) plantFault(fault);
// Imported after the fault is planted, and before the functions are replaced.
const { installEnvironment } = await import('./environment.ts');
const { runSeeds } = await import('./run-seeds.ts');
installEnvironment();
const isConnected = () => process.connected === true;
await runSeeds(range, (result) => isConnected() && process.send?.(result), isConnected);
if (isConnected()) process.disconnect();
