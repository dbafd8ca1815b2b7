import { bad, good } from '../../lib/terminal.ts';
import type { Judged } from './run-contract-changes.ts';
import type { Caught } from './run-mutants.ts';

/** A fault, and who has noticed it. */
export function faultLine({ fault, by, seconds }: Caught): string {
  const what = `${fault.where}: ${fault.name} (${seconds.toFixed(0)} s)`;
  return by ? good(`${what}\n    ${by.stage}: ${by.complaint}`) : bad(`${what}\n    nobody has noticed`);
}

/** What was noticed first by whom. */
export function faultSummary(results: readonly Caught[]): string {
  const missed = results.filter(({ by }) => !by);
  const counts = Map.groupBy(results, ({ by }) => by?.stage ?? 'nobody');
  const table = [...counts].map(([stage, those]) => `  ${String(those.length).padStart(3)}  ${stage}`);
  const verdict =
    missed.length === 0
      ? good('Every fault was noticed.')
      : bad(`${missed.length} of ${results.length} faults were noticed by nobody.`);
  return ['', `${results.length} faults. First noticed by:`, ...table.sort().reverse(), verdict].join('\n');
}

/** A mutation that was judged wrongly. */
export const mutationLine = ({ mutation, verdict, breaking }: Judged): string =>
  bad(
    `${verdict}: ${mutation.kind}, ${mutation.name} (${mutation.label})${breaking.map(({ rule }) => `\n    ${rule}`).join('')}`,
  );

/** The table of mutations, by kind of object and keyword. */
export function mutationSummary(results: readonly Judged[]): string {
  const head = `${'kind'.padEnd(24)}${['breaking', 'compatible', 'same', 'missed', 'false alarms'].map((word) => word.padStart(13)).join('')}`;
  const rows = [...Map.groupBy(results, ({ mutation }) => mutation.kind)].map(([kind, those]) =>
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
    `${proofs.length} breaking changes were shown: ${count('payload')} by a value, ${count('line')} by a line of a request or an answer, ${count('none')} with the reason why there is neither.`,
    wrong === 0
      ? good('Every mutation was judged as it should be.')
      : bad(`${wrong} of ${results.length} mutations were judged wrongly.`),
  ].join('\n');
}

function rowOf(kind: string, those: readonly Judged[]): string {
  const labelled = ['breaking', 'compatible', 'same'].map(
    (label) => those.filter(({ mutation }) => mutation.label === label).length,
  );
  const wrong = ['missed', 'false alarm'].map(
    (verdict) => those.filter((each) => each.verdict === verdict).length,
  );
  return `${kind.padEnd(24)}${[...labelled, ...wrong].map((number) => String(number || '·').padStart(13)).join('')}`;
}
