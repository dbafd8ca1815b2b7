import { readFile, writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { loadContract } from '../contract/load/load-contract.ts';
import { withDefaults } from '../contract/read-config.ts';
import { loadMock } from '../contract/survive/load-mock.ts';
import { wireScenarios } from '../contract/survive/wire-scenarios.ts';
import { clientGenerators } from '../lab/generators/catalog.ts';
import { formatMatrix, replaceMatrix } from '../lab/generators/format-matrix.ts';
import { contractFile } from '../lab/generators/prepare-generator.ts';
import { type MatrixColumn, maxWaitMs, runGenerator } from '../lab/generators/run-generator.ts';
import {
  printJson,
  printLine,
  printLines,
  reportFailure,
  successLine,
  terminalProgress,
} from '../lib/terminal.ts';

ignoreBrokenPipe();

const guide = 'openapi/guides/client-generators.md';
const names = clientGenerators.map(({ name }) => name);

const program = exitWithUsageCode(new Command('npm run test:generators --'))
  .description(
    'Generate a client with each of several generators, run it in all scenarios of survive, and print what it cannot handle.',
  )
  .addOption(new Option('--only <generator...>', 'only these generators').choices(names))
  .option('--scenario <name...>', 'only these scenarios')
  .option('--write', `write the result to ${guide}`)
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Each generator is installed below node_modules/.cache, in the version of the catalog. A client has its default options; where
it fails, the options of its program in scripts/lab/generators/programs are tried. A client that waits for ${maxWaitMs / 1_000} s counts
as one without a time-out.

Examples:
  npm run test:generators                                       (about 15 minutes)
  npm run test:generators -- --only orval --scenario login-page

Exit codes: 0 all clients have run, 2 usage error, or a generator fails.`,
  );
const options = program.parse().opts<{ only?: string[]; scenario?: string[]; write?: true; json?: true }>();

const progress = terminalProgress(options.json ?? false);
const onProgress = (text: string) => progress.show(text);
try {
  const mock = await loadMock(await loadContract(contractFile), withDefaults({}), contractFile);
  const scenarios = [...mock.scenarios, ...wireScenarios];
  const columns: MatrixColumn[] = [];
  for (const generator of clientGenerators.filter(({ name }) => options.only?.includes(name) ?? true))
    columns.push(await runGenerator(generator, { mock, only: options.scenario ?? [], onProgress }));
  progress.end();
  const matrix = formatMatrix(columns, scenarios);
  if (options.write) {
    await writeFile(guide, replaceMatrix(await readFile(guide, 'utf8'), matrix));
    printLine(successLine(`Wrote ${guide}.`));
  } else if (options.json) printJson(columns, 2);
  else printLines(matrix);
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
}
