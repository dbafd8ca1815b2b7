import { formatMachine, machineInfo } from '../../lib/machine-info.ts';
import { printJson, printLine, printLines } from '../../lib/terminal.ts';
import type { DatasetSizes } from './dataset.ts';
import type { QueryMeasurement } from './measure.ts';
import type { ScaleEngine } from './service-under-test.ts';
import type { ListWalk } from './walk.ts';

/** The result for one database. */
export interface ScaleResult {
  engine: ScaleEngine;
  load: { lines: number; seconds: number };
  measured: QueryMeasurement[];
  walks: ListWalk[];
}

/** The goal: the maximum ratio of response times on the large data set to those on the small one. */
const maxRatio = 2;

const walkHeadings = ['entries', 'seconds', 'ms first', 'ms last', 'ratio', 'to small'];
const headings = ['small 50th', '99th', 'large 50th', '99th', 'ratio', '99th'];

/** Prints the result. */
export function printReport(results: readonly ScaleResult[], sizes: DatasetSizes, json: boolean): void {
  const machine = machineInfo();
  if (json) printJson({ command: process.argv.slice(2), machine, sizes, results }, 2);
  else {
    printLine(`${formatMachine(machine)}`);
    for (const result of results) printLines(tableOf(result));
  }
}

function tableOf({ engine, load, measured, walks }: ScaleResult): string {
  const speed = Math.round(load.lines / load.seconds).toLocaleString('en');
  return [
    `\n${engine}: ${load.lines.toLocaleString('en')} lines in ${Math.round(load.seconds)} s (${speed} per second)`,
    `${'milliseconds'.padEnd(40)} ${headings.map((heading) => heading.padStart(10)).join(' ')}`,
    ...measured.map(lineOf),
    '',
    `${'whole lists by Link, 100 per page'.padEnd(40)} ${walkHeadings.map((heading) => heading.padStart(10)).join(' ')}`,
    ...walks.map(walkLineOf),
  ].join('\n  ');
}

function lineOf({ question, grows, small, large }: QueryMeasurement): string {
  const ratios = [large.median / small.median, large.late / small.late];
  const measurements = [small.median, small.late, large.median, large.late, ...ratios];
  const isFine = ratios.every((ratio) => ratio <= maxRatio);
  const mark = isFine ? '✔' : grows === undefined ? '✘' : `– ${grows}`;
  return `${question.padEnd(40)} ${measurements.map((measurement) => measurement.toFixed(2).padStart(10)).join(' ')}  ${mark}`;
}

/** Compares the last pages of the large list with its first ones, and the mean time of a page with the small list. */
function walkLineOf({ list, small, large }: ListWalk): string {
  const perEntry = ({ seconds, entries }: ListWalk['small']) => seconds / entries;
  const ratios = [large.last / large.first, perEntry(large) / perEntry(small)];
  const cells = [
    large.entries.toLocaleString('en'),
    ...[large.seconds, large.first, large.last, ...ratios].map((number) => number.toFixed(2)),
  ];
  const mark = ratios.every((ratio) => ratio <= maxRatio) ? '✔' : '✘';
  return `${list.padEnd(40)} ${cells.map((cell) => cell.padStart(10)).join(' ')}  ${mark}`;
}
