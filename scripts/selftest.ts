import { Command, InvalidArgumentError } from 'commander';
import { exitWithTwoOnMisuse, ignoreClosedPipes } from '../server/command-line.ts';
import { createProgress } from '../server/progress.ts';
import { faults } from './selftest/faults.ts';
import { type Caught, runSelftest } from './selftest/run.ts';
import { stages } from './selftest/stages.ts';
import { bad, good, say } from './terminal.ts';

ignoreClosedPipes();

const program = exitWithTwoOnMisuse(new Command('npm run selftest --'))
  .description(
    'Do the checks notice mistakes? Each of the seeded faults is made in a copy of the source, and the checks are\nasked in turn until one complains. It takes about a minute for each.',
  )
  .option(
    '--fault <text>',
    'only faults whose name has this text; can be repeated',
    (text: string, all: string[]) => [...all, text],
    [],
  )
  .option(
    '--where <place>',
    'only those in this place: contract, pipeline, feature, storage, delivery, operation',
  )
  .option(
    '--stage <name>',
    `only this check (${stages.map(({ name }) => name).join(', ')}); can be repeated`,
    stageFrom,
    [],
  )
  .option('--list', 'name the faults, and do nothing')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run selftest
  npm run selftest -- --where storage --stage conformance

Exit codes: 0 every fault was noticed, 1 at least one was not, 2 called wrongly, or the source itself does not pass.`,
  );
const options = program
  .parse()
  .opts<{ fault: string[]; where?: string; stage: string[]; list?: true; json?: true }>();

const chosen = faults.filter(
  ({ name, where }) =>
    (options.fault.length === 0 || options.fault.some((text) => name.includes(text))) &&
    (options.where === undefined || where === options.where),
);
const asked = stages.filter(({ name }) => options.stage.length === 0 || options.stage.includes(name));

const progress = createProgress(process.stderr, options.json ?? false);
try {
  if (chosen.length === 0) throw new Error('There is no such fault. npm run selftest -- --list names them.');
  if (options.list) for (const { where, name, file } of chosen) say(`${where.padEnd(10)} ${name} (${file})`);
  else await tell();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  say(options.json ? JSON.stringify({ error: message }) : bad(message), options.json ? 'output' : 'error');
  process.exitCode = 2;
} finally {
  progress.end();
}

async function tell(): Promise<void> {
  const results = await runSelftest(chosen, asked, {
    onStage: (text) => progress.show(text),
    onCaught: (caught) => {
      if (!options.json) progress.say(lineOf(caught));
    },
  });
  const missed = results.filter(({ by }) => !by);
  if (options.json) say(JSON.stringify(results, null, 2));
  else say(summaryOf(results, missed));
  if (missed.length > 0) process.exitCode = 1;
}

function lineOf({ fault, by, seconds }: Caught): string {
  const what = `${fault.where}: ${fault.name} (${seconds.toFixed(0)} s)`;
  return by ? good(`${what}\n    ${by.stage}: ${by.complaint}`) : bad(`${what}\n    nobody has noticed`);
}

function summaryOf(results: Caught[], missed: Caught[]): string {
  const counts = Map.groupBy(results, ({ by }) => by?.stage ?? 'nobody');
  const table = [...counts].map(([stage, those]) => `  ${String(those.length).padStart(3)}  ${stage}`);
  const verdict =
    missed.length === 0
      ? good('Every fault was noticed.')
      : bad(`${missed.length} of ${results.length} faults were noticed by nobody.`);
  return ['', `${results.length} faults. First noticed by:`, ...table, verdict].join('\n');
}

function stageFrom(text: string, before: string[]): string[] {
  if (stages.some(({ name }) => name === text)) return [...before, text];
  throw new InvalidArgumentError(`There are ${stages.map(({ name }) => name).join(', ')}.`);
}
