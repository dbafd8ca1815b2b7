import { machineLine, thisMachine } from '../../lib/machine-info.ts';
import { say } from '../../lib/terminal.ts';
import type { Sizes } from './dataset.ts';
import type { Measured } from './measure.ts';
import type { EngineName } from './service-under-test.ts';

/** What one engine has taken for a data set. */
export interface Result {
  engine: EngineName;
  load: { lines: number; seconds: number };
  measured: Measured[];
}

/** What is hoped for: the large one takes no longer than so many times the small one. */
const most = 2;

const headings = ['small 50th', '99th', 'large 50th', '99th', 'ratio', '99th'];

/** Prints what was measured, for people or, as JSON, for programs. */
export function report(results: readonly Result[], sizes: Sizes, json: boolean): void {
  const machine = thisMachine();
  if (json) say(JSON.stringify({ command: process.argv.slice(2), machine, sizes, results }, null, 2));
  else {
    say(`${machineLine(machine)}`);
    for (const result of results) say(tableOf(result));
  }
}

function tableOf({ engine, load, measured }: Result): string {
  const speed = Math.round(load.lines / load.seconds).toLocaleString('en');
  return [
    `\n${engine}: ${load.lines.toLocaleString('en')} lines in ${Math.round(load.seconds)} s (${speed} a second)`,
    `${'milliseconds'.padEnd(40)} ${headings.map((heading) => heading.padStart(10)).join(' ')}`,
    ...measured.map(lineOf),
  ].join('\n  ');
}

function lineOf({ question, grows, small, large }: Measured): string {
  const ratios = [large.median / small.median, large.late / small.late];
  const figures = [small.median, small.late, large.median, large.late, ...ratios];
  const isFine = ratios.every((ratio) => ratio <= most);
  const mark = isFine ? '✔' : grows === undefined ? '✘' : `– ${grows}`;
  return `${question.padEnd(40)} ${figures.map((figure) => figure.toFixed(2).padStart(10)).join(' ')}  ${mark}`;
}
