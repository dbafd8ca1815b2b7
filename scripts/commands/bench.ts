import { Command, InvalidArgumentError } from 'commander';
import { exitWithTwoOnMisuse, ignoreClosedPipes } from '../../server/lib/cli.ts';
import { createProgress } from '../../server/lib/progress.ts';
import { deliveries } from '../lab/bench/deliveries.ts';
import { wake } from '../lab/bench/delivery-latency.ts';
import { enforcement } from '../lab/bench/enforcement.ts';
import { writes } from '../lab/bench/group-commit.ts';
import { heap } from '../lab/bench/memory-leak.ts';
import { load } from '../lab/bench/overload.ts';
import { hanging } from '../lab/bench/slow-receivers.ts';
import { rest } from '../lab/bench/startup-and-idle.ts';
import { toolchain } from '../lab/bench/toolchain.ts';
import { countUpTo, machineLine, thisMachine } from '../lib/machine-info.ts';
import { type Figure, median, reached, shown } from '../lib/statistics.ts';

const benches = { enforcement, writes, load, rest, heap, toolchain, deliveries, hanging, wake };
type Name = keyof typeof benches;
const names = Object.keys(benches) as Name[];

ignoreClosedPipes();

const options = exitWithTwoOnMisuse(new Command('npm run bench --'))
  .description(
    'How fast is it? What is compared is measured side by side in one run; a goal that is missed fails nothing.',
  )
  .option('--only <name>', `only this one; can be repeated: ${names.join(', ')}`, nameIn, [] as Name[])
  .option('--rounds <count>', 'how often each is measured; the median counts', countUpTo(99), 3)
  .option('--database <url>', 'a database of PostgreSQL that is empty (an embedded one, made and removed)')
  .option('--brief', 'of the bench enforcement: half a minute, for a first look')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run bench\n  npm run bench -- --only enforcement\n  npm run bench -- --only deliveries --rounds 5\n\nExit codes: 0 measured, 1 could not be measured, 2 called wrongly.',
  )
  .parse()
  .opts<{ only: Name[]; rounds: number; database?: string; brief?: true; json?: true }>();

const progress = createProgress(process.stderr, options.json ?? false);
const results: { bench: Name; figures: Figure[] }[] = [];
for (const bench of options.only.length > 0 ? options.only : names)
  results.push({
    bench,
    figures: await benches[bench](
      { database: options.database, rounds: options.rounds, brief: options.brief ?? false },
      progress.show,
    ),
  });
progress.end();

const machine = thisMachine();
if (options.json)
  process.stdout.write(
    `${JSON.stringify({ command: process.argv.slice(2), machine, rounds: options.rounds, results }, null, 2)}\n`,
  );
else {
  process.stdout.write(`${machineLine(machine)}, ${options.rounds} rounds\n`);
  for (const { bench, figures } of results) {
    process.stdout.write(`\n${bench}\n`);
    for (const figure of figures) process.stdout.write(`  ${lineOf(figure)}\n`);
  }
}

function lineOf(figure: Figure): string {
  const { what, values, goal } = figure;
  const spread = `${shown(Math.min(...values))} to ${shown(Math.max(...values))}`;
  const wanted = goal && ('least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`);
  const mark = wanted ? `  ${reached(figure) ? '✔' : '✘'} ${wanted}` : '';
  return `${shown(median(values)).padStart(8)}  ${what} (${spread})${mark}`;
}

function nameIn(text: string, before: Name[]): Name[] {
  const name = names.find((each) => each === text);
  if (name) return [...before, name];
  throw new InvalidArgumentError(`There are ${names.join(', ')}.`);
}
