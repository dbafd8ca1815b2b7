import { relative } from 'node:path';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { pack } from '../contract/client/build.ts';
import { printJson, printLine, reportFailure, successLine, terminalProgress } from '../lib/terminal.ts';
import { buildToolchain } from '../package/build-toolchain.ts';

ignoreBrokenPipe();

const program = exitWithUsageCode(new Command('npm run toolchain --'))
  .description('Build the package parley-contract, with which other teams use the toolchain, and pack it.')
  .option('--out <folder>', 'output folder', 'dist')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run toolchain
  npm install ./dist/parley-contract-*.tgz     in another project

Exit codes: 0 success, 1 the package cannot be built, 2 usage error.`,
  );
const { out, json = false } = program.parse().opts<{ out: string; json?: true }>();

const progress = terminalProgress(json);
try {
  progress.show('Compiling.');
  const folder = `${out}/toolchain`;
  const { dependencies } = await buildToolchain(folder);
  const tarball = relative('.', await pack(folder, out));
  progress.end();
  if (json) printJson({ tarball, dependencies });
  else printLine(successLine(`Packed ${tarball}, with ${dependencies.length} dependencies.`));
} catch (error) {
  progress.end();
  reportFailure(error, json);
}
