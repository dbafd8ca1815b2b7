import { Command, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { contractChanges, libraryContract } from '../lab/mutation/contract-changes.ts';
import { mutants } from '../lab/mutation/mutants.ts';
import { patchFor } from '../lab/mutation/patch-for.ts';
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
import { printJson, printLine, printLines, reportFailure, terminalProgress } from '../lib/terminal.ts';

ignoreBrokenPipe();

const parts = ['contract-changes', 'mutants', 'tenant-filters'];

const program = exitWithUsageCode(new Command('npm run test:mutation --'))
  .description(
    'Test the tests. Contract changes with a known verdict are compared by the contract diff, and bugs (mutants) are\ninserted into copies of the source, where a check has to fail. --only tenant-filters removes each condition on the\ncompany in turn.',
  )
  .addOption(new Option('--only <part>', 'run only this part').choices(parts))
  .option(
    '--name <text>',
    'run only contract changes and mutants whose name contains this text; can be repeated',
    (text: string, all: string[]) => [...all, text],
    [],
  )
  .option(
    '--find-killers',
    'run every check on each mutant, not only the one that is known to kill it; about 1 min each',
  )
  .option('--list', 'list contract changes and mutants, and exit')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run test:mutation
  npm run test:mutation -- --only contract-changes --name discriminator
  npm run test:mutation -- --only mutants --name webhook --find-killers

Exit codes: 0 all mutants were killed and all contract changes labelled correctly, 1 not all, 2 usage error, or the unchanged
source does not pass.`,
  );
const options = program
  .parse()
  .opts<{ only?: string; name: string[]; findKillers?: true; list?: true; json?: true }>();

const isNamed = (name: string) =>
  options.name.length === 0 || options.name.some((text) => name.includes(text));
const chosenChanges = contractChanges.filter(
  ({ kind, name }) => ['contract-changes', undefined].includes(options.only) && isNamed(`${kind}: ${name}`),
);
const filters = options.only === 'tenant-filters' ? tenantFilterMutants() : [];
const chosenMutants = (options.only === 'tenant-filters' ? filters : mutants).filter(
  ({ name }) => options.only !== 'contract-changes' && isNamed(name),
);

const progress = terminalProgress(options.json ?? false);
try {
  if (chosenChanges.length + chosenMutants.length === 0)
    throw new Error(
      'No contract change or mutant has such a name. npm run test:mutation -- --list lists all.',
    );
  if (options.list) {
    for (const { kind, name, label } of chosenChanges) printLine(`${label.padEnd(10)} ${kind}: ${name}`);
    for (const mutant of chosenMutants) printLine(`${mutant.name} (${patchFor(mutant).file})`);
  } else await run();
} catch (error) {
  progress.end();
  reportFailure(error, options.json ?? false);
  process.exitCode = 2;
} finally {
  progress.end();
}

async function run(): Promise<void> {
  const changeResults = await tryContractChanges();
  const caught = await tryMutants();
  progress.end();
  if (options.json) printJson({ contractChanges: changeResults, mutants: caught }, 2);
  else {
    if (changeResults.length > 0) printLines(contractChangeSummary(changeResults));
    if (caught.length > 0) printLines(mutantSummary(caught));
  }
  if (changeResults.some(({ verdict }) => verdict !== 'right') || caught.some(({ killedBy }) => !killedBy))
    process.exitCode = 1;
}

async function tryContractChanges(): Promise<ContractChangeResult[]> {
  let done = 0;
  return runContractChanges(libraryContract(), chosenChanges, (changeResults) => {
    done += 1;
    progress.show(`contract changes: ${done} of ${chosenChanges.length}`);
    if (changeResults.verdict !== 'right' && !options.json) progress.say(contractChangeLine(changeResults));
  });
}

async function tryMutants(): Promise<MutantResult[]> {
  if (chosenMutants.length === 0) return [];
  return runMutants(chosenMutants, {
    // With --find-killers, every test may run. Tests use all cores, so only one copy of the project runs at a time.
    ...(options.only === 'tenant-filters'
      ? {
          stagesFor: tenantFilterStages,
          before: [...new Set(chosenMutants.map(({ killedBy }) => killedBy))].flatMap((killedBy) =>
            chosenMutants
              .filter((mutant) => mutant.killedBy === killedBy)
              .slice(0, 1)
              .flatMap(tenantFilterStages),
          ),
          copies: 2,
        }
      : options.findKillers
        ? { stagesFor: () => stages, before: stages, copies: 1 }
        : {
            stagesFor: ({ killedBy }) => [killingStage(killedBy)],
            before: killingStages(chosenMutants.map(({ killedBy }) => killedBy)),
            copies: 2,
          }),
    onStage: (text) => progress.show(text),
    onCaught: (caught) => {
      if (!options.json && (options.findKillers || !caught.killedBy)) progress.say(mutantLine(caught));
    },
  });
}
