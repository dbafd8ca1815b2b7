import { Command, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { benchCreates } from '../lab/bench/creates.ts';
import { benchDeliveries } from '../lab/bench/deliveries.ts';
import { benchEnforcement } from '../lab/bench/enforcement.ts';
import { benchOverload } from '../lab/bench/overload.ts';
import { formatMachine, integerUpTo, machineInfo } from '../lib/machine-info.ts';
import { formatNumber, isGoalMet, type Measurement, median, quantile } from '../lib/statistics.ts';
import { printJson, printLine, printLines, terminalProgress } from '../lib/terminal.ts';

const benches = {
  enforcement: benchEnforcement,
  creates: benchCreates,
  deliveries: benchDeliveries,
  overload: benchOverload,
};
type Name = keyof typeof benches;
const names = Object.keys(benches) as Name[];

ignoreBrokenPipe();

const options = exitWithUsageCode(new Command('npm run bench --'))
  .description(
    'Measure the CPU time of the service per request and per delivery. Turns alternate between the compared programs. A missed\ngoal is reported and does not fail the run.',
  )
  .addOption(new Option('--only <name...>', 'run only these benchmarks').choices(names).default([]))
  .option(
    '--turns <count>',
    'turns of each program; the median and the quartiles are reported',
    integerUpTo(999),
    24,
  )
  .option('--database <url>', 'use this empty PostgreSQL database (default: a temporary embedded database)')
  .option('--quick', 'shorten the enforcement benchmark to 15 s')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run bench\n  npm run bench -- --only enforcement\n  npm run bench -- --only deliveries --turns 40\n\nExit codes: 0 measured, 1 could not be measured, 2 usage error.',
  )
  .parse()
  .opts<{ only: Name[]; turns: number; database?: string; quick?: true; json?: true }>();

const progress = terminalProgress(options.json ?? false);
const results: { bench: Name; measurements: Measurement[] }[] = [];
for (const bench of options.only.length > 0 ? options.only : names)
  results.push({
    bench,
    measurements: await benches[bench](
      { database: options.database, turns: options.turns, quick: options.quick ?? false },
      progress.show,
    ),
  });
progress.end();

const machine = machineInfo();
if (options.json) printJson({ command: process.argv.slice(2), machine, turns: options.turns, results }, 2);
else {
  printLine(`${formatMachine(machine)}, ${options.turns} turns; median (quartiles)`);
  for (const { bench, measurements } of results) {
    printLines(`\n${bench}`);
    for (const measurement of measurements) printLine(`  ${lineOf(measurement)}`);
  }
}

function lineOf(measurement: Measurement): string {
  const { what, values, goal } = measurement;
  const spread = [0.25, 0.75].map((share) => formatNumber(quantile(values, share))).join(' to ');
  const wanted = goal && ('least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`);
  const mark = wanted ? `  ${isGoalMet(measurement) ? '✔' : '✘'} ${wanted}` : '';
  return `${formatNumber(median(values)).padStart(8)}  ${what} (${spread})${mark}`;
}
