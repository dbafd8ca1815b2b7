import { Option } from 'commander';
import type { ScenarioOutcome } from '../lab/crash/scenario.ts';
import { crashScenarios } from '../lab/crash/scenarios.ts';
import { command, noSettings } from '../lib/command.ts';
import { formatMachine, integerUpTo, machineInfo } from '../lib/machine-info.ts';
import { createPrng } from '../lib/prng.ts';
import { printJson, printLine } from '../lib/terminal.ts';

const names = crashScenarios.map(({ name }) => name);
/** Maximum number of failures shown per scenario. */
const maxShown = 10;

interface Options {
  only: string[];
  rounds?: number;
  seed: number;
  json?: true;
}

export const testCrash = command<Options, undefined>({
  readSettings: noSettings,
  declare: (program) =>
    program
      .description(
        'Kill services on the embedded database, simulate power loss, and corrupt their files. Acknowledged writes must survive, and corrupted files must be rejected as corrupted.',
      )
      .addOption(new Option('--only <kind...>', 'run only these scenarios').choices(names).default([]))
      .option('--rounds <count>', 'rounds of each scenario (default: its own number)', integerUpTo(100_000))
      .option('--seed <number>', 'seed of the random generator', integerUpTo(2 ** 31), 1)
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        '\npower-loss replays the system calls of a service and needs strace.\n\nExamples:\n  npm run test:crash\n  npm run test:crash -- --only kill --rounds 20 --seed 7\n\nExit codes: 0 nothing was lost, 1 something was lost, 2 usage error, or a scenario could not run.',
      ),
  async run(options, { given, progress }) {
    const chosen = crashScenarios.filter(
      ({ name }) => options.only.length === 0 || options.only.includes(name),
    );

    const all: ScenarioOutcome[] = [];
    for (const { name, what, rounds: defaultValue, run } of chosen) {
      const rounds = options.rounds ?? defaultValue;
      const onRound = (done: number) => progress.show(`${name}: ${done} of ${rounds}`);
      const found = await run({ rounds, prng: createPrng(options.seed), onRound });
      all.push({ name, what, rounds, ...found });
    }
    progress.end();
    report(all, options, given);
    return all.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
  },
});

function report(all: readonly ScenarioOutcome[], options: Options, given: readonly string[]): void {
  const machine = machineInfo();
  if (options.json) {
    printJson({ command: given, machine, seed: options.seed, outcomes: all }, 2);
    return;
  }
  printLine(`${formatMachine(machine)}, seed ${options.seed}\n`);
  for (const { name, what, rounds, observations, wrong } of all) {
    const measurements = Object.entries(observations).map(
      ([measurement, count]) =>
        `${measurement.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${count.toLocaleString('en')}`,
    );
    printLine(
      `${wrong.length === 0 ? '✔' : '✘'} ${name.padEnd(10)} ${rounds.toLocaleString('en').padStart(6)}  ${what}`,
    );
    printLine(`${' '.repeat(21)}${measurements.join(', ')}`);
    for (const each of wrong.slice(0, maxShown)) printLine(`  ${each}`);
    if (wrong.length > maxShown) printLine(`  and ${wrong.length - maxShown} more`);
  }
}
