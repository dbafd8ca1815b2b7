import { compareContracts } from '../../contract/diff/compare.ts';
import { applyChange, type ContractChange } from './contract-changes/contract-change.ts';

/** Whether the contract diff classified a change correctly. */
export interface ContractChangeResult {
  change: ContractChange;
  /**
   * `missed`: a breaking change was not reported. `false alarm`: any other incorrect result, such as a compatible
   * change that was reported as breaking, or a change with the label `same` that requires more than a patch version.
   */
  verdict: 'right' | 'missed' | 'false alarm';
  /** The rules that reported a breaking change, and the kind of their evidence. */
  breaking: { rule: string; proof: 'payload' | 'line' | 'none' }[];
}

/** Number of concurrent comparisons: while one waits for Redocly, another searches for counterexamples. */
const atOnce = 3;
/** A date after the sunset date 2026-01-01 in the example contract, so that some planned removals are due. */
const today = '2026-11-22';

/**
 * Applies each change to a contract and compares the changed contract with the original.
 * @throws Error if a change does not apply
 */
export async function runContractChanges(
  library: object,
  mutations: readonly ContractChange[],
  onResult: (result: ContractChangeResult) => void = () => {},
): Promise<ContractChangeResult[]> {
  const results: ContractChangeResult[] = [];
  const left = mutations.entries();
  const work = async () => {
    for (const [index, change] of left) {
      const result = await compareOne(library, change);
      results[index] = result;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function compareOne(library: object, change: ContractChange): Promise<ContractChangeResult> {
  const { breaking, undecided, needed } = await compareContracts(
    library,
    applyChange(library, change.edits),
    today,
  );
  const real = breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
  return {
    change,
    verdict: verdictOf(
      change,
      real.length > 0 ? 'breaking' : undecided.length > 0 ? 'undecided' : 'compatible',
      needed,
    ),
    breaking: real.map(({ rule, proof }) => ({ rule, proof: proof.kind })),
  };
}

function verdictOf(
  { label }: ContractChange,
  found: 'breaking' | 'undecided' | 'compatible',
  needed: string,
): ContractChangeResult['verdict'] {
  if (label === 'breaking') return found === 'breaking' ? 'right' : 'missed';
  if (label === 'undecided') return found === 'undecided' ? 'right' : 'false alarm';
  // A change of notation requires at most a patch version.
  return found !== 'compatible' || (label === 'same' && needed !== 'patch') ? 'false alarm' : 'right';
}
