import { Option } from 'commander';
import { injectedFaults } from '../lab/chaos/faults.ts';
import { type ExperimentResult, runExperiment } from '../lab/chaos/run-experiment.ts';
import { command } from '../lib/command.ts';
import { machineText } from '../lib/machine-text.ts';
import { integerUpTo } from '../lib/option-parsers.ts';
import { failureLine, printLine } from '../lib/terminal.ts';

const names = injectedFaults.map(({ name }) => name);

export const testChaos = command<{ only: string[]; seconds: number }>({
  declare: (program) =>
    program
      .description(
        'Inject faults into PostgreSQL, the API processes and the workers while clients send requests, and check the rules of the simulator: nothing acknowledged is lost, for example.',
      )
      .addOption(new Option('--only <name...>', 'run only these experiments').choices(names).default([]))
      .option('--seconds <count>', 'seconds of load before and after each fault', integerUpTo(99), 3)
      .addHelpText(
        'after',
        `
Needs the PostgreSQL programs initdb, postgres and pg_basebackup.

Example:
  npm run test:chaos -- --only failover

Exit codes: 0 no rule was broken, 1 one was, 2 usage error, or an experiment could not run.`,
      ),
  async run(options, { progress }) {
    const chosen = injectedFaults.filter(
      ({ name }) => options.only.length === 0 || options.only.includes(name),
    );
    const tried: ExperimentResult[] = [];
    for (const fault of chosen) {
      progress.show(`${fault.name} (${tried.length + 1} of ${chosen.length})`);
      tried.push(await runExperiment(fault, options.seconds * 1_000));
    }
    progress.end();
    printLine(`${machineText()}\n`);
    for (const one of tried) {
      const { violation } = one.found;
      printLine(`${lineOf(one)}\n${one.what}`);
      if (violation) printLine(failureLine(`${one.name}: ${violation.rule}. ${violation.message}`));
    }
    return tried.every(({ held }) => held) ? 0 : 1;
  },
});

function lineOf({ name, held, seconds, answered, failed, wrong, recovery, found }: ExperimentResult): string {
  return [
    `${held ? '✔' : '✘'} ${name}: ${seconds.toFixed(1)} s`,
    `${answered} requests answered, ${failed} with 503 or no response, ${wrong} wrong`,
    `recovery ${recovery.toFixed(1)} s`,
    `${found.acknowledged} contacts, ${found.erased} erased, ${found.events} events, ${found.duplicates} duplicates`,
  ].join('; ');
}
