import { Option } from 'commander';
import { injectedFaults } from '../lab/chaos/faults.ts';
import { type ExperimentResult, runExperiment } from '../lab/chaos/run-experiment.ts';
import { command, noSettings } from '../lib/command.ts';
import { formatMachine, integerUpTo, machineInfo } from '../lib/machine-info.ts';
import { failureLine, printJson, printLine, printLines } from '../lib/terminal.ts';

const names = injectedFaults.map(({ name }) => name);

export const testChaos = command<{ only: string[]; seconds: number; json?: true }, undefined>({
  readSettings: noSettings,
  declare: (program) =>
    program
      .description(
        'Inject faults into PostgreSQL, the API processes and the workers while clients send requests, and check the rules of the simulator: nothing acknowledged is lost, for example.',
      )
      .addOption(new Option('--only <name...>', 'run only these experiments').choices(names).default([]))
      .option('--seconds <count>', 'seconds of load before and after each fault', integerUpTo(99), 3)
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Needs the PostgreSQL programs initdb, postgres and pg_basebackup.

Example:
  npm run test:chaos -- --only failover

Exit codes: 0 no rule was broken, 1 one was, 2 usage error, or an experiment could not run.`,
      ),
  async run(options, { given, progress }) {
    const chosen = injectedFaults.filter(
      ({ name }) => options.only.length === 0 || options.only.includes(name),
    );
    const tried: ExperimentResult[] = [];
    for (const fault of chosen) {
      progress.show(`${fault.name} (${tried.length + 1} of ${chosen.length})`);
      tried.push(await runExperiment(fault, options.seconds * 1_000));
    }
    progress.end();
    const machine = machineInfo();
    if (options.json) printJson({ command: given, machine, tried }, 2);
    else {
      printLine(`${formatMachine(machine)}\n`);
      printLines(tableOf(tried));
      for (const { name, what } of tried) printLines(`\n${name}: ${what}`);
      for (const { name, found } of tried)
        if (found.violation)
          printLine(failureLine(`${name}: ${found.violation.rule}. ${found.violation.message}`));
    }
    return tried.every(({ held }) => held) ? 0 : 1;
  },
});

function tableOf(tried: readonly ExperimentResult[]): string {
  const rows = tried.map((one) => [
    `${one.held ? '✔' : '✘'} ${one.name}`,
    `${one.lasted.toFixed(1)} s`,
    one.answered,
    one.unavailable,
    one.unanswered,
    one.wrong,
    `${one.slowest.toFixed(1)} s`,
    `${one.recovery.toFixed(1)} s`,
    one.found.acknowledged,
    one.found.erased,
    one.found.events,
    one.found.duplicates,
  ]);
  const head = [
    'fault',
    'lasted',
    'answered',
    '503',
    'no response',
    'wrong',
    'slowest',
    'recovery',
    'contacts',
    'erased',
    'events',
    'duplicates',
  ];
  const widths = head.map((text, at) => Math.max(text.length, ...rows.map((row) => String(row[at]).length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
