import { Option } from 'commander';
import type { Progress } from '../../server/lib/progress.ts';
import { corpusGenerator, fuzzCorpus } from '../lab/fuzz/corpus.ts';
import { fuzzGenerators } from '../lab/fuzz/generators.ts';
import { type GeneratorResult, runGenerator } from '../lab/fuzz/run-generator.ts';
import { startTargetService } from '../lab/fuzz/target-service.ts';
import { command, noSettings } from '../lib/command.ts';
import { formatMachine, integerUpTo, machineInfo } from '../lib/machine-info.ts';
import { printJson, printLine } from '../lib/terminal.ts';

const names = fuzzGenerators.map(({ kind }) => kind.name);
const megabyte = 1_048_576;
/** Maximum growth of the heap in MB, measured after the caches are full. */
const maxGrown = 8;

interface Options {
  only: string[];
  requests: number;
  seed: number;
  json?: true;
}

export const fuzz = command<Options, undefined>({
  readSettings: noSettings,
  declare: (program) =>
    program
      .description(
        'Send malformed and hostile requests to a service that is started for this purpose. Each response must be the expected error, or the accepted data must be stored and read back unchanged.',
      )
      .addOption(new Option('--only <kind...>', 'run only these generators').choices(names).default([]))
      .option('--requests <count>', 'number of requests', integerUpTo(10_000_000), 100_000)
      .option(
        '--seed <number>',
        'seed of the random generator; the same seed sends the same requests',
        integerUpTo(2 ** 31),
        1,
      )
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  npm run fuzz\n  npm run fuzz -- --only framing --requests 5000 --seed 7\n\nExit codes: 0 every response was as expected, 1 one was not, 2 usage error, or the service could not run.',
      ),
  async run(options, { given, progress }) {
    const { all, grown } = await fuzzTargetService(options, progress);
    progress.end();
    report(all, grown, options, given);
    return all.every(({ wrong }) => wrong.length === 0) && grown <= maxGrown ? 0 : 1;
  },
});

async function fuzzTargetService(options: Options, progress: Progress) {
  const chosen = fuzzGenerators.filter(
    ({ kind }) => options.only.length === 0 || options.only.includes(kind.name),
  );
  const parts = chosen.reduce((all, { part }) => all + part, 0);

  const targetService = await startTargetService();
  try {
    const all: GeneratorResult[] = [];
    const { port, target } = targetService;
    const run = async (requests: number, seed: number) => {
      const tried: GeneratorResult[] = [];
      for (const { kind, part } of chosen) {
        const attempts = Math.ceil((requests * part) / parts);
        const told = await runGenerator(kind, { port, target, attempts, seed }, (done) =>
          progress.show(`${kind.name}: ${done.toLocaleString('en')} of ${attempts.toLocaleString('en')}`),
        );
        tried.push(told);
        if (!targetService.lives()) throw new Error(`The service exited during ${kind.name}.`);
      }
      return tried;
    };
    // Warm-up: loads the code and fills the caches before the heap is measured.
    await run(Math.min(2_000, options.requests), options.seed + 1);
    const before = await targetService.heap();
    if (options.only.length === 0) {
      const given = { port, target, attempts: fuzzCorpus.length, seed: options.seed };
      all.push(await runGenerator(corpusGenerator(), given, () => {}));
    }
    all.push(...(await run(options.requests, options.seed)));
    const grown = ((await targetService.heap()) - before) / megabyte;
    return { all, grown };
  } finally {
    await targetService.close();
  }
}

function report(
  all: readonly GeneratorResult[],
  grown: number,
  options: Options,
  given: readonly string[],
): void {
  const machine = machineInfo();
  if (options.json) {
    printJson({ command: given, machine, heapGrownMb: grown, tried: all }, 2);
    return;
  }
  printLine(`${formatMachine(machine)}, seed ${options.seed}\n`);
  for (const { name, what, attempts, statuses, readBack, wrong } of all) {
    const told = Object.entries(statuses)
      .map(([status, count]) => `${status === 'none' ? 'closed' : status} ${count.toLocaleString('en')}`)
      .join(', ');
    const back = readBack > 0 ? `; ${readBack.toLocaleString('en')} read back unchanged` : '';
    printLine(
      `${wrong.length === 0 ? '✔' : '✘'} ${name.padEnd(14)} ${attempts.toLocaleString('en').padStart(7)}  ${what}`,
    );
    printLine(`${' '.repeat(26)}${told}${back}`);
    for (const { why, bytes } of wrong) printLine(`  ${why}\n    ${JSON.stringify(bytes.slice(0, 600))}`);
  }
  printLine(
    `${grown <= maxGrown ? '✔' : '✘'} heap           ${grown.toFixed(1)} MB growth (at most ${maxGrown})`,
  );
}
