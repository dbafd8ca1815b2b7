import type { Patch } from '../../lib/project-copy.ts';

/** A bug that is inserted into the source. */
export interface Mutant extends Patch {
  /** Description, by which the mutant is selected. */
  name: string;
  area: 'contract' | 'pipeline' | 'feature' | 'storage' | 'delivery' | 'operator';
  /** The check that kills it: `types`, `lint`, or `FILE > TEST`. `--find-killers` finds it. */
  killedBy: string;
}
