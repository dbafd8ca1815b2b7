import type { Fault } from './mutant.ts';
import { contractFaults } from './mutants/contract.ts';
import { deliveryFaults } from './mutants/delivery.ts';
import { featureFaults } from './mutants/features.ts';
import { machineFaults } from './mutants/multi-process.ts';
import { operationFaults } from './mutants/operator.ts';
import { pipelineFaults } from './mutants/pipeline.ts';
import { storageFaults } from './mutants/storage.ts';

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
