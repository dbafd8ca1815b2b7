import { Command, InvalidArgumentError } from 'commander';
import { exitWithTwoOnMisuse, ignoreClosedPipes } from '../../server/lib/cli.ts';
import { createProgress } from '../../server/lib/progress.ts';
import type { Outcome } from '../lab/crash/scenario.ts';
import { kinds } from '../lab/crash/scenarios.ts';
import { countUpTo, machineLine, thisMachine } from '../lib/machine-info.ts';
import { chanceFrom } from '../lib/prng.ts';
import { say, sayFailure } from '../lib/terminal.ts';

const names = kinds.map(({ name }) => name);
/** Of what went wrong so much is shown. */
const mostShown = 10;

ignoreClosedPipes();

const options = exitWithTwoOnMisuse(new Command('npm run crash --'))
  .description(
    'What is left when the machine fails the embedded database? Services of their own are killed, cut off from power, and given damaged files; what was acknowledged must be there, and the file sound, or refused as what it is.',
  )
  .option('--only <kind>', `only this one; can be repeated: ${names.join(', ')}`, nameIn, [] as string[])
  .option('--rounds <count>', 'how many of each; as many as are usual for it otherwise', countUpTo(100_000))
  .option('--seed <number>', 'the same one makes the same choices', countUpTo(2 ** 31), 1)
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    '\nThe loss of power is replayed from the system calls of a service: strace is needed for it.\n\nExamples:\n  npm run crash\n  npm run crash -- --only kill --rounds 20 --seed 7\n\nExit codes: 0 nothing was lost, 1 something was, 2 called wrongly, or could not be tried.',
  )
  .parse()
  .opts<{ only: string[]; rounds?: number; seed: number; json?: true }>();

const progress = createProgress(process.stderr, options.json ?? false);
const chosen = kinds.filter(({ name }) => options.only.length === 0 || options.only.includes(name));

try {
  const all: Outcome[] = [];
  for (const { name, what, rounds: usual, run } of chosen) {
    const rounds = options.rounds ?? usual;
    const onRound = (done: number) => progress.show(`${name}: ${done} of ${rounds}`);
    const found = await run({ rounds, chance: chanceFrom(options.seed), onRound });
    all.push({ name, what, rounds, ...found });
  }
  progress.end();
  report(all);
  process.exitCode = all.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
} catch (error) {
  progress.end();
  sayFailure(error, options.json);
}

function report(all: readonly Outcome[]): void {
  const machine = thisMachine();
  if (options.json) {
    say(
      JSON.stringify({ command: process.argv.slice(2), machine, seed: options.seed, outcomes: all }, null, 2),
    );
    return;
  }
  say(`${machineLine(machine)}, seed ${options.seed}\n`);
  for (const { name, what, rounds, told, wrong } of all) {
    const figures = Object.entries(told).map(
      ([figure, count]) =>
        `${figure.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${count.toLocaleString('en')}`,
    );
    say(
      `${wrong.length === 0 ? '✔' : '✘'} ${name.padEnd(10)} ${rounds.toLocaleString('en').padStart(6)}  ${what}`,
    );
    say(`${' '.repeat(21)}${figures.join(', ')}`);
    for (const each of wrong.slice(0, mostShown)) say(`  ${each}`);
    if (wrong.length > mostShown) say(`  and ${wrong.length - mostShown} more`);
  }
}

function nameIn(text: string, before: string[]): string[] {
  if (names.includes(text)) return [...before, text];
  throw new InvalidArgumentError(`There are ${names.join(', ')}.`);
}
