import type { Patch } from '../../lib/project-copy.ts';

/** A mistake as somebody might make it. */
export interface Mutant extends Patch {
  /** What is wrong, for people: it is also how the fault is chosen. */
  name: string;
  area: 'contract' | 'pipeline' | 'feature' | 'storage' | 'delivery' | 'operator';
  /** What is known to notice it: `types`, `lint`, or `FILE > TEST`. `--search` finds it. */
  killedBy: string;
}
