import { Option } from 'commander';
import { formatNumber, type Measurement, machineText, median, quantile } from '../lab/bench/measurement.ts';
import { command } from '../lib/command.ts';
import { integerUpTo } from '../lib/option-parsers.ts';
import { printLine, printLines } from '../lib/terminal.ts';

// Imported when they run, so that --help and usage errors stay fast.
const benches = {
  enforcement: async () => (await import('../lab/bench/enforcement.ts')).benchEnforcement,
  deliveries: async () => (await import('../lab/bench/deliveries.ts')).benchDeliveries,
  adoption: async () => (await import('../lab/bench/adoption.ts')).benchAdoption,
};
type Name = keyof typeof benches;
const names = Object.keys(benches) as Name[];
/** The benchmarks that need no npm registry. */
const offline = names.filter((name) => name !== 'adoption');

interface Options {
  only: Name[];
  turns: number;
  database?: string;
  quick?: true;
}

export const bench = command<Options>({
  declare: (program) =>
    program
      .description(
        'Measure the CPU time of the service per request and per delivery. Turns alternate between the compared programs. A missed goal is reported and does not fail the run.',
      )
      .addOption(
        new Option(
          '--only <name...>',
          'run only these benchmarks; adoption needs the npm registry, and runs only if named',
        )
          .choices(names)
          .default([]),
      )
      .option(
        '--turns <count>',
        'turns of each program; the median and the quartiles are reported',
        integerUpTo(999),
        24,
      )
      .option(
        '--database <url>',
        'use this empty PostgreSQL database (default: a temporary embedded database)',
      )
      .option('--quick', 'shorten the enforcement benchmark to 15 s')
      .addHelpText(
        'after',
        '\nExamples:\n  npm run bench\n  npm run bench -- --only enforcement\n  npm run bench -- --only deliveries --turns 40\n\nExit codes: 0 measured, 2 usage error, or it could not be measured.',
      ),
  async run({ only, turns, database, quick = false }, { progress }) {
    const results: { bench: Name; measurements: Measurement[] }[] = [];
    for (const bench of only.length > 0 ? only : offline) {
      const measure = await benches[bench]();
      results.push({ bench, measurements: await measure({ database, turns, quick }, progress.show) });
    }
    progress.end();

    printLine(`${machineText()}, ${turns} turns; median (quartiles)`);
    for (const { bench, measurements } of results) {
      printLines(`\n${bench}`);
      for (const measurement of measurements) printLine(`  ${lineOf(measurement)}`);
    }
    return 0;
  },
});

function lineOf({ what, values, most }: Measurement): string {
  const spread = [0.25, 0.75].map((share) => formatNumber(quantile(values, share))).join(' to ');
  const value = median(values);
  const mark = most === undefined ? '' : `  ${value <= most ? '✔' : '✘'} at most ${most}`;
  return `${formatNumber(value).padStart(8)}  ${what} (${spread})${mark}`;
}
