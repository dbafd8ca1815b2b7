import { compareContracts } from '../../contract/diff/compare.ts';
import { applyChange, type ContractChange } from './contract-changes/contract-change.ts';

/** What the comparison of contracts has made of a mutation. */
export interface ContractChangeResult {
  change: ContractChange;
  /** `missed`: somebody is broken, and nobody was told. `false alarm`: the other way round. */
  verdict: 'right' | 'missed' | 'false alarm';
  /** Rules that have spoken, and what each has shown. */
  breaking: { rule: string; proof: 'payload' | 'line' | 'none' }[];
}

/** Comparisons at once: while one waits for Redocly's process, another one looks for witnesses. */
const atOnce = 3;
/** What was to go by 2026-01-01 in the library has gone in time. */
const today = '2026-11-22';

/**
 * Changes a contract in one way after the other, and compares it with what it was.
 * @throws Error where a mutation does not fit the contract
 */
export async function runContractChanges(
  library: object,
  mutations: readonly ContractChange[],
  onJudged: (judged: ContractChangeResult) => void = () => {},
): Promise<ContractChangeResult[]> {
  const results: ContractChangeResult[] = [];
  const left = mutations.entries();
  const work = async () => {
    for (const [index, change] of left) {
      const judged = await judge(library, change);
      results[index] = judged;
      onJudged(judged);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function judge(library: object, change: ContractChange): Promise<ContractChangeResult> {
  const { breaking, needed } = await compareContracts(library, applyChange(library, change.edits), today);
  const real = breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
  return {
    change,
    verdict: verdictOf(change, real.length > 0, needed),
    breaking: real.map(({ rule, proof }) => ({ rule, proof: proof.kind })),
  };
}

function verdictOf(
  { label }: ContractChange,
  breaks: boolean,
  needed: string,
): ContractChangeResult['verdict'] {
  if (label === 'breaking') return breaks ? 'right' : 'missed';
  // What is only written otherwise asks for no more than the smallest step.
  return breaks || (label === 'same' && needed !== 'patch') ? 'false alarm' : 'right';
}
