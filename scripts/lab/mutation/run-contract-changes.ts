import { compareContracts } from '../../contract/diff/compare.ts';
import { edited, type Mutation } from './contract-changes/contract-change.ts';

/** What the comparison of contracts has made of a mutation. */
export interface Judged {
  mutation: Mutation;
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
export async function runMutations(
  library: object,
  mutations: readonly Mutation[],
  onJudged: (judged: Judged) => void = () => {},
): Promise<Judged[]> {
  const results: Judged[] = [];
  const left = mutations.entries();
  const work = async () => {
    for (const [place, mutation] of left) {
      const judged = await judge(library, mutation);
      results[place] = judged;
      onJudged(judged);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function judge(library: object, mutation: Mutation): Promise<Judged> {
  const { breaking, needed } = await compareContracts(library, edited(library, mutation.edits), today);
  const real = breaking.filter(({ departure }) => departure?.state !== 'due');
  return {
    mutation,
    verdict: verdictOf(mutation, real.length > 0, needed),
    breaking: real.map(({ rule, proof }) => ({ rule, proof: proof.kind })),
  };
}

function verdictOf({ label }: Mutation, breaks: boolean, needed: string): Judged['verdict'] {
  if (label === 'breaking') return breaks ? 'right' : 'missed';
  // What is only written otherwise asks for no more than the smallest step.
  return breaks || (label === 'same' && needed !== 'patch') ? 'false alarm' : 'right';
}
