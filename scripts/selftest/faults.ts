import type { Fault } from './fault.ts';
import { contractFaults } from './faults/contract.ts';
import { deliveryFaults } from './faults/delivery.ts';
import { featureFaults } from './faults/features.ts';
import { machineFaults } from './faults/machines.ts';
import { operationFaults } from './faults/operation.ts';
import { pipelineFaults } from './faults/pipeline.ts';
import { storageFaults } from './faults/storage.ts';

/** Written without a look at what would notice them. */
export const faults: readonly Fault[] = [
  ...contractFaults,
  ...pipelineFaults,
  ...featureFaults,
  ...storageFaults,
  ...deliveryFaults,
  ...operationFaults,
  ...machineFaults,
];
