import { Command, InvalidArgumentError } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { createProgress } from '../../server/lib/progress.ts';
import { contractChanges, libraryContract } from '../lab/mutation/contract-changes.ts';
import { mutants } from '../lab/mutation/mutants.ts';
import {
  contractChangeLine,
  contractChangeSummary,
  mutantLine,
  mutantSummary,
} from '../lab/mutation/report.ts';
import { type ContractChangeResult, runContractChanges } from '../lab/mutation/run-contract-changes.ts';
import { type MutantResult, runMutants } from '../lab/mutation/run-mutants.ts';
import { killingStage, killingStages, stages } from '../lab/mutation/stages.ts';
import { tenantFilterMutants, tenantFilterStages } from '../lab/mutation/tenant-filter-mutants.ts';
import { printLine, reportFailure } from '../lib/terminal.ts';

ignoreBrokenPipe();

const parts = ['mutations', 'faults', 'companies'];

const program = exitWithUsageCode(new Command('npm run selftest --'))
  .description(
    'Do the checks notice mistakes? A contract is changed in ways of which it is known whom they break, and compared\nwith what it was; and mistakes are made in copies of the source, of which the checks have to complain. With\n`--only companies` each condition that keeps companies apart is left out in turn.',
  )
  .option('--only <part>', `only this part: ${parts.join(' or ')}`, partFrom)
  .option(
    '--name <text>',
    'only mutations and faults in whose name is this text; can be repeated',
    (text: string, all: string[]) => [...all, text],
    [],
  )
  .option(
    '--where <place>',
    'only faults in this place: contract, pipeline, feature, storage, delivery, operation',
  )
  .option(
    '--search',
    'ask every check in turn who notices a fault, not only the one that is known to; a minute each',
  )
  .option('--list', 'name the mutations and faults, and do nothing')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run selftest
  npm run selftest -- --only mutations --name discriminator
  npm run selftest -- --only faults --where storage --search

Exit codes: 0 everything was noticed, and nothing without a reason; 1 something was not, or was; 2 called wrongly, or the
source itself does not pass.`,
  );
const options = program
  .parse()
  .opts<{ only?: string; name: string[]; where?: string; search?: true; list?: true; json?: true }>();

const isNamed = (name: string) =>
  options.name.length === 0 || options.name.some((text) => name.includes(text));
const chosenMutations = contractChanges.filter(
  ({ kind, name }) =>
    ['mutations', undefined].includes(options.only) &&
    options.where === undefined &&
    isNamed(`${kind}: ${name}`),
);
const filters = options.only === 'companies' ? tenantFilterMutants() : [];
const chosenFaults = (options.only === 'companies' ? filters : mutants).filter(
  ({ name, where }) =>
    options.only !== 'mutations' && isNamed(name) && (options.where === undefined || where === options.where),
);

const progress = createProgress(process.stderr, options.json ?? false);
try {
  if (chosenMutations.length + chosenFaults.length === 0)
    throw new Error('There is nothing of that name. npm run selftest -- --list names all.');
  if (options.list) {
    for (const { kind, name, label } of chosenMutations) printLine(`${label.padEnd(10)} ${kind}: ${name}`);
    for (const { where, name, file } of chosenFaults) printLine(`${where.padEnd(10)} ${name} (${file})`);
  } else await tell();
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
} finally {
  progress.end();
}

async function tell(): Promise<void> {
  const judged = await tryMutations();
  const caught = await tryFaults();
  progress.end();
  if (options.json) printLine(JSON.stringify({ mutations: judged, mutants: caught }, null, 2));
  else {
    if (judged.length > 0) printLine(contractChangeSummary(judged));
    if (caught.length > 0) printLine(mutantSummary(caught));
  }
  if (judged.some(({ verdict }) => verdict !== 'right') || caught.some(({ killedBy }) => !killedBy))
    process.exitCode = 1;
}

async function tryMutations(): Promise<ContractChangeResult[]> {
  let done = 0;
  return runContractChanges(libraryContract(), chosenMutations, (judged) => {
    done += 1;
    progress.show(`mutations: ${done} of ${chosenMutations.length}`);
    if (judged.verdict !== 'right' && !options.json) progress.say(contractChangeLine(judged));
  });
}

async function tryFaults(): Promise<MutantResult[]> {
  if (chosenFaults.length === 0) return [];
  return runMutants(chosenFaults, {
    // One at a time where every test there is may be asked: they take all that the machine has.
    ...(options.only === 'companies'
      ? {
          stagesFor: tenantFilterStages,
          before: [...new Set(chosenFaults.map(({ killedBy }) => killedBy))].flatMap((killedBy) =>
            chosenFaults
              .filter((mutant) => mutant.killedBy === killedBy)
              .slice(0, 1)
              .flatMap(tenantFilterStages),
          ),
          copies: 2,
        }
      : options.search
        ? { stagesFor: () => stages, before: stages, copies: 1 }
        : {
            stagesFor: ({ killedBy }) => [killingStage(killedBy)],
            before: killingStages(chosenFaults.map(({ killedBy }) => killedBy)),
            copies: 2,
          }),
    onStage: (text) => progress.show(text),
    onCaught: (caught) => {
      if (!options.json && (options.search || !caught.killedBy)) progress.say(mutantLine(caught));
    },
  });
}

function partFrom(text: string): string {
  if (parts.includes(text)) return text;
  throw new InvalidArgumentError(`There are ${parts.join(' and ')}.`);
}
