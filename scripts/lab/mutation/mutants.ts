import type { Mutant } from './mutant.ts';
import { contractMutants } from './mutants/contract.ts';
import { deliveryMutants } from './mutants/delivery.ts';
import { featureMutants } from './mutants/features.ts';
import { multiProcessMutants } from './mutants/multi-process.ts';
import { operatorMutants } from './mutants/operator.ts';
import { pipelineMutants } from './mutants/pipeline.ts';
import { storageMutants } from './mutants/storage.ts';

/** All mutants. They were written without looking at the tests. */
export const mutants: readonly Mutant[] = [
  ...contractMutants,
  ...pipelineMutants,
  ...featureMutants,
  ...storageMutants,
  ...deliveryMutants,
  ...operatorMutants,
  ...multiProcessMutants,
];
