import { relative } from 'node:path';
import { pack } from '../contract/client/build.ts';
import { command, noSettings } from '../lib/command.ts';
import { printJson, printLine, successLine } from '../lib/terminal.ts';
import { buildToolchain } from '../package/build-toolchain.ts';

export const toolchain = command<{ out: string; json?: true }, undefined>({
  readSettings: noSettings,
  declare: (program) =>
    program
      .description(
        'Build the package parley-contract, with which other teams use the toolchain, and pack it.',
      )
      .option('--out <folder>', 'output folder', 'dist')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Examples:
  npm run toolchain
  npm install ./dist/parley-contract-*.tgz     in another project

Exit codes: 0 success, 2 usage error, or the package cannot be built.`,
      ),
  async run({ out, json }, { progress }) {
    progress.show('Compiling.');
    const folder = `${out}/toolchain`;
    const { dependencies } = await buildToolchain(folder);
    const tarball = relative('.', await pack(folder, out));
    progress.end();
    if (json) printJson({ tarball, dependencies });
    else printLine(successLine(`Packed ${tarball}, with ${dependencies.length} dependencies.`));
    return 0;
  },
});
