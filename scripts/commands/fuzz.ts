import { Command, InvalidArgumentError, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { createProgress } from '../../server/lib/progress.ts';
import { corpusGenerator, fuzzCorpus } from '../lab/fuzz/corpus.ts';
import { fuzzGenerators } from '../lab/fuzz/generators.ts';
import { type GeneratorResult, runGenerator } from '../lab/fuzz/run-generator.ts';
import { startTargetService } from '../lab/fuzz/target-service.ts';
import { formatMachine, integerUpTo, machineInfo } from '../lib/machine-info.ts';
import { printLine, reportFailure } from '../lib/terminal.ts';

const names = fuzzGenerators.map(({ kind }) => kind.name);
const megabyte = 1_048_576;
/** By how much the heap may have grown, in megabytes: the caches that are meant to grow are full before. */
const maxGrown = 8;

ignoreBrokenPipe();

const options = exitWithUsageCode(new Command('npm run attack --'))
  .description(
    'Does it stand what is no request of ours? A service of its own is sent generated abuse of HTTP and of the contract; every answer must be the right refusal, or what is legal is stored and read again.',
  )
  .option('--only <kind>', `only this one; can be repeated: ${names.join(', ')}`, nameIn, [] as string[])
  .option('--requests <count>', 'how many in all', integerUpTo(10_000_000), 100_000)
  .option('--seed <number>', 'the same one makes the same requests', integerUpTo(2 ** 31), 1)
  .addOption(
    new Option(
      '--list',
      'send nothing, and say which hand-picked inputs are legal, which are refused, and how',
    ).conflicts('only'),
  )
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run attack\n  npm run attack -- --only framing --requests 5000 --seed 7\n\nExit codes: 0 it stood everything, 1 it did not, 2 called wrongly.',
  )
  .parse()
  .opts<{ only: string[]; requests: number; seed: number; list?: true; json?: true }>();

const progress = createProgress(process.stderr, options.json ?? false);
const chosen = fuzzGenerators.filter(
  ({ kind }) => options.only.length === 0 || options.only.includes(kind.name),
);
const parts = chosen.reduce((all, { part }) => all + part, 0);

try {
  if (options.list) list();
  else await attackAVictim();
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
  process.exitCode = 1;
}

async function attackAVictim(): Promise<void> {
  const victim = await startTargetService();
  try {
    const all: GeneratorResult[] = [];
    const { port, target } = victim;
    const attack = async (requests: number, seed: number) => {
      const tried: GeneratorResult[] = [];
      for (const { kind, part } of chosen) {
        const attempts = Math.ceil((requests * part) / parts);
        const told = await runGenerator(kind, { port, target, attempts, seed }, (done) =>
          progress.show(`${kind.name}: ${done.toLocaleString('en')} of ${attempts.toLocaleString('en')}`),
        );
        tried.push(told);
        if (!victim.lives()) throw new Error(`The service ended after ${kind.name}.`);
      }
      return tried;
    };
    // What is compiled and kept once is there before the heap is looked at.
    await attack(Math.min(2_000, options.requests), options.seed + 1);
    const before = await victim.heap();
    if (options.only.length === 0) {
      const given = { port, target, attempts: fuzzCorpus.length, seed: options.seed };
      all.push(await runGenerator(corpusGenerator(), given, () => {}));
    }
    all.push(...(await attack(options.requests, options.seed)));
    const grown = ((await victim.heap()) - before) / megabyte;
    progress.end();
    report(all, grown);
    process.exitCode = all.every(({ wrong }) => wrong.length === 0) && grown <= maxGrown ? 0 : 1;
  } finally {
    await victim.close();
  }
}

/** The hand-picked inputs as a table; the generated ones vary them. */
function list(): void {
  const rows = fuzzCorpus.map(({ what, right, stored }) => ({
    what,
    right,
    isGivenBack: stored !== undefined,
  }));
  if (options.json) {
    printLine(JSON.stringify(rows, null, 2));
    return;
  }
  printLine('| input | right answer |\n|---|---|');
  for (const { what, right, isGivenBack } of rows) {
    const responses = right.map((each) => (each === 'none' ? 'closed' : each)).join(' or ');
    printLine(
      `| ${what.replaceAll('|', '\\|')} | ${responses}${isGivenBack ? ', and given back as it came' : ''} |`,
    );
  }
}

function report(all: readonly GeneratorResult[], grown: number): void {
  const machine = machineInfo();
  if (options.json) {
    printLine(
      JSON.stringify({ command: process.argv.slice(2), machine, heapGrownMb: grown, tried: all }, null, 2),
    );
    return;
  }
  printLine(`${formatMachine(machine)}, seed ${options.seed}\n`);
  for (const { name, what, attempts, statuses, givenBack, wrong } of all) {
    const told = Object.entries(statuses)
      .map(([status, count]) => `${status === 'none' ? 'closed' : status} ${count.toLocaleString('en')}`)
      .join(', ');
    const back = givenBack > 0 ? `; ${givenBack.toLocaleString('en')} read again, the same` : '';
    printLine(
      `${wrong.length === 0 ? '✔' : '✘'} ${name.padEnd(14)} ${attempts.toLocaleString('en').padStart(7)}  ${what}`,
    );
    printLine(`${' '.repeat(26)}${told}${back}`);
    for (const { why, bytes } of wrong) printLine(`  ${why}\n    ${JSON.stringify(bytes.slice(0, 600))}`);
  }
  printLine(
    `${grown <= maxGrown ? '✔' : '✘'} heap           ${grown.toFixed(1)} MB more than before (at most ${maxGrown})`,
  );
}

function nameIn(text: string, before: string[]): string[] {
  if (names.includes(text)) return [...before, text];
  throw new InvalidArgumentError(`There are ${names.join(', ')}.`);
}
