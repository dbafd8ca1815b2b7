import type { Affected } from './affected-uses.ts';
import type { BreakingFinding } from './comparison.ts';
import type { Evidence } from './evidence.ts';
import type { PlannedRemoval } from './planned-removals.ts';
import type { Impact, ListedChange } from './redocly-diff.ts';

export interface BreakingChange extends BreakingFinding {
  proof: Evidence;
  /** Set if the removal was announced. */
  plannedRemoval: PlannedRemoval | undefined;
  affected: Affected;
  /** The operations of the affected uses. */
  operations: string[];
  /** The name of the affected parameter, if the change is about one. */
  parameter: string | undefined;
}

export interface OtherChange {
  impact: Exclude<Impact, 'major'>;
  path: string;
  base: ListedChange['base'];
  revision: ListedChange['revision'];
  operations: string[];
  parameter: string | undefined;
}

export interface ContractDiff {
  breaking: BreakingChange[];
  /** Changes of schemas that are neither proven compatible nor shown to break anything. */
  undecided: BreakingChange[];
  others: OtherChange[];
  /** The required version bump; `none` if the documents are equal. */
  needed: Impact | 'none';
}

/** The diff of equal documents. */
export const unchanged: ContractDiff = { breaking: [], undecided: [], others: [], needed: 'none' };
