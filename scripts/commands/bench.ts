import { Command, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { benchCreates } from '../lab/bench/creates.ts';
import { benchDeliveries } from '../lab/bench/deliveries.ts';
import { benchEnforcement } from '../lab/bench/enforcement.ts';
import { benchGroupCommit } from '../lab/bench/group-commit.ts';
import { benchMemory } from '../lab/bench/memory-leak.ts';
import { benchOverload } from '../lab/bench/overload.ts';
import { benchPortal } from '../lab/bench/portal.ts';
import { benchStartup } from '../lab/bench/startup-and-idle.ts';
import { benchToolchain } from '../lab/bench/toolchain.ts';
import { formatMachine, integerUpTo, machineInfo } from '../lib/machine-info.ts';
import { formatNumber, isGoalMet, type Measurement, median } from '../lib/statistics.ts';
import { printJson, printLine, printLines, terminalProgress } from '../lib/terminal.ts';

const benches = {
  enforcement: benchEnforcement,
  'group-commit': benchGroupCommit,
  creates: benchCreates,
  overload: benchOverload,
  startup: benchStartup,
  memory: benchMemory,
  toolchain: benchToolchain,
  portal: benchPortal,
  deliveries: benchDeliveries,
};
type Name = keyof typeof benches;
const names = Object.keys(benches) as Name[];

ignoreBrokenPipe();

const options = exitWithUsageCode(new Command('npm run bench --'))
  .description(
    'Measure speed and memory. Compared programs run side by side. A missed goal is reported and does not fail the run.',
  )
  .addOption(new Option('--only <name...>', 'run only these benchmarks').choices(names).default([]))
  .option('--rounds <count>', 'rounds of each measurement; the median is reported', integerUpTo(99), 3)
  .option('--database <url>', 'use this empty PostgreSQL database (default: a temporary embedded database)')
  .option('--quick', 'shorten the enforcement benchmark to 30 s')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run bench\n  npm run bench -- --only enforcement\n  npm run bench -- --only deliveries --rounds 5\n\nExit codes: 0 measured, 1 could not be measured, 2 usage error.',
  )
  .parse()
  .opts<{ only: Name[]; rounds: number; database?: string; quick?: true; json?: true }>();

const progress = terminalProgress(options.json ?? false);
const results: { bench: Name; measurements: Measurement[] }[] = [];
for (const bench of options.only.length > 0 ? options.only : names)
  results.push({
    bench,
    measurements: await benches[bench](
      { database: options.database, rounds: options.rounds, quick: options.quick ?? false },
      progress.show,
    ),
  });
progress.end();

const machine = machineInfo();
if (options.json) printJson({ command: process.argv.slice(2), machine, rounds: options.rounds, results }, 2);
else {
  printLine(`${formatMachine(machine)}, ${options.rounds} rounds`);
  for (const { bench, measurements } of results) {
    printLines(`\n${bench}`);
    for (const measurement of measurements) printLine(`  ${lineOf(measurement)}`);
  }
}

function lineOf(measurement: Measurement): string {
  const { what, values, goal } = measurement;
  const spread = `${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}`;
  const wanted = goal && ('least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`);
  const mark = wanted ? `  ${isGoalMet(measurement) ? '✔' : '✘'} ${wanted}` : '';
  return `${formatNumber(median(values)).padStart(8)}  ${what} (${spread})${mark}`;
}
