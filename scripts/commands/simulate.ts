import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { command } from '../lib/command.ts';
import { integerUpTo } from '../lib/option-parsers.ts';
import { failureLine, printLine, printLines, successLine } from '../lib/terminal.ts';
import { plantedFaults } from '../simulate/planted-faults.ts';
import { runThreads, type SimulationReport } from '../simulate/run-threads.ts';

interface Options {
  seed?: number;
  seeds: { from: number; to: number };
  seconds: number;
  jobs: number;
  fault?: string;
  history?: true;
}

const maxSeed = 999_999_999;

export const simulate = command<Options>({
  declare: (program) =>
    program
      .description(
        'Run the service in simulations, in which a seed decides the time, the network and the order of all tasks. Clients, receivers, an operator and faults work against several processes on one embedded database, and invariants are checked after each step.',
      )
      .addOption(
        new Option('--seed <number>', 'run only the simulation of this seed')
          .argParser(integerUpTo(maxSeed))
          .conflicts(['seeds', 'jobs']),
      )
      .addOption(
        new Option('--seeds <from-to>', 'run the simulations of these seeds, until one fails')
          .argParser(parseRange)
          .default({ from: 1, to: maxSeed }, `1-${maxSeed}`),
      )
      .option('--seconds <count>', 'maximum duration', integerUpTo(86_400), 60)
      .option('--jobs <count>', 'number of threads', integerUpTo(64), availableParallelism())
      .addOption(
        new Option('--fault <name>', 'plant a fault in the service, which must be found').choices(
          Object.keys(plantedFaults),
        ),
      )
      .option('--history', 'print the history of the last simulation, also if it succeeds')
      .addHelpText(
        'after',
        '\nThe same seed gives the same history. A seed that fails is shrunk: its history contains only what breaks the rule.\n\nExamples:\n  npm run simulate -- --seconds 3600\n  npm run simulate -- --seed 42 --history\n  npm run simulate -- --fault "leases never end"\n\nExit codes: 0 no rule was broken, 1 one was, 2 usage error, or a simulation could not run.',
      ),
  async run({ seed, seeds, seconds, jobs, fault, history }, { progress }) {
    let done = 0;
    const report = await runThreads({
      ...(seed === undefined ? seeds : { from: seed, to: seed }),
      ...{ fault, maxMs: seconds * 1_000, jobs: seed === undefined ? jobs : 1 },
      onResult({ seed: last }) {
        done += 1;
        progress.show(`${done.toLocaleString('en')} simulations, the last with seed ${last}`);
      },
    });
    progress.end();
    print(report, { fault, withHistory: history ?? false });
    return report.failure ? 1 : 0;
  },
});

function parseRange(text: string): Options['seeds'] {
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  if (from === undefined || Number(from) > Number(to))
    throw new InvalidArgumentError('It must be two integers, as in 1-500.');
  return { from: Number(from), to: Number(to) };
}

function print(
  { seeds, requests, deliveries, failure, last }: SimulationReport,
  { fault, withHistory }: { fault: string | undefined; withHistory: boolean },
): void {
  printLine(
    `${seeds.toLocaleString('en')} simulations, ${requests.toLocaleString('en')} requests and ${deliveries.toLocaleString('en')} deliveries`,
  );
  if (failure?.violation) {
    const { seed, violation, history, linesBefore } = failure;
    printLine(failureLine(`Seed ${seed} breaks the rule "${violation.rule}": ${violation.message}`));
    const planted = fault === undefined ? '' : ` --fault "${fault}"`;
    printLine(`  Repeat it: npm run simulate -- --seed ${seed}${planted}`);
    printLine(
      `  History, shrunk from ${linesBefore} to ${history.length} lines (> marks what is named above):`,
    );
    const names = violation.message.match(/client\d+-\d+-\w+|(delivery|webhook|token) [\d:]+/gi) ?? [];
    const isAboutIt = new RegExp(`(${names.join('|') || '$^'})\\b`, 'i');
    printLines(history.map((line) => `${isAboutIt.test(line) ? '>' : ' '}${line}`).join('\n'));
    return;
  }
  printLine(successLine('No rule was broken.'));
  if (last && withHistory) printLines(last.history.join('\n'));
}
