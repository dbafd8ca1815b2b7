import { failureLine, successLine } from '../../lib/terminal.ts';
import type { ContractChangeResult } from './run-contract-changes.ts';
import type { MutantResult } from './run-mutants.ts';

/** Formats a mutant and the check that killed it. */
export function mutantLine({ mutant, killedBy, seconds }: MutantResult): string {
  const what = `${mutant.name} (${seconds.toFixed(0)} s)`;
  return killedBy
    ? successLine(`${what}\n    ${killedBy.stage}: ${killedBy.violation}`)
    : failureLine(`${what}\n    survived`);
}

/** Formats a table of checks, with the number of mutants that each was the first to kill. */
export function mutantSummary(results: readonly MutantResult[]): string {
  const missed = results.filter(({ killedBy }) => !killedBy);
  const counts = Map.groupBy(results, ({ killedBy }) => killedBy?.stage ?? 'none');
  const table = [...counts].map(([stage, those]) => `  ${String(those.length).padStart(3)}  ${stage}`);
  const verdict =
    missed.length === 0
      ? successLine('Every mutant was killed.')
      : failureLine(`${missed.length} of ${results.length} mutants survived.`);
  return ['', `${results.length} mutants. First killed by:`, ...table.sort().reverse(), verdict].join('\n');
}

/** Formats a contract change that the contract diff judged incorrectly. */
export const contractChangeLine = ({ change, verdict, breaking }: ContractChangeResult): string =>
  failureLine(
    `${verdict}: ${change.kind}, ${change.name} (${change.label})${breaking.map(({ rule }) => `\n    ${rule}`).join('')}`,
  );

/** Formats a table of contract changes and incorrect verdicts, with one row per OpenAPI object or keyword. */
export function contractChangeSummary(results: readonly ContractChangeResult[]): string {
  const head = `${'kind'.padEnd(24)}${['breaking', 'compatible', 'same', 'missed', 'false alarms'].map((word) => word.padStart(13)).join('')}`;
  const rows = [...Map.groupBy(results, ({ change }) => change.kind)].map(([kind, those]) =>
    rowOf(kind, those),
  );
  const proofs = results.flatMap(({ breaking }) => breaking.map(({ proof }) => proof));
  const count = (proof: string) => proofs.filter((each) => each === proof).length;
  const wrong = results.filter(({ verdict }) => verdict !== 'right').length;
  return [
    '',
    head,
    ...rows,
    rowOf('all', results),
    `${proofs.length} breaking changes were shown: ${count('payload')} by a value, ${count('line')} by a request or response, ${count('none')} with the reason why neither exists.`,
    wrong === 0
      ? successLine('Every contract change was labelled correctly.')
      : failureLine(`${wrong} of ${results.length} contract changes were labelled incorrectly.`),
  ].join('\n');
}

function rowOf(kind: string, those: readonly ContractChangeResult[]): string {
  const labelled = ['breaking', 'compatible', 'same'].map(
    (label) => those.filter(({ change }) => change.label === label).length,
  );
  const wrong = ['missed', 'false alarm'].map(
    (verdict) => those.filter((each) => each.verdict === verdict).length,
  );
  return `${kind.padEnd(24)}${[...labelled, ...wrong].map((number) => String(number || '·').padStart(13)).join('')}`;
}
