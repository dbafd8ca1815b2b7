import { relative } from 'node:path';
import { pack } from '../contract/client/build.ts';
import { command } from '../lib/command.ts';
import { printLine, successLine } from '../lib/terminal.ts';
import { buildToolchain } from '../package/build-toolchain.ts';
import { buildRuntime } from '../runtime-package/build-runtime.ts';

export const toolchain = command<{ out: string }>({
  declare: (program) =>
    program
      .description(
        'Build and pack what other teams install: parley-contract, the tools, and parley-contract-runtime for production.',
      )
      .option('--out <folder>', 'output folder', 'dist')
      .addHelpText(
        'after',
        `
Examples:
  npm run toolchain
  npm install ./dist/parley-contract-runtime-*.tgz               in another project
  npm install --save-dev ./dist/parley-contract-[0-9]*.tgz

Exit codes: 0 success, 2 usage error, or a package cannot be built.`,
      ),
  async run({ out }, { progress }) {
    progress.show('Compiling.');
    const packages = [];
    for (const [name, build] of [
      ['runtime', buildRuntime],
      ['toolchain', buildToolchain],
    ] as const) {
      const folder = `${out}/${name}`;
      const { dependencies } = await build(folder);
      packages.push({ tarball: relative('.', await pack(folder, out)), dependencies });
    }
    progress.end();
    for (const { tarball, dependencies } of packages)
      printLine(successLine(`Packed ${tarball}, with ${dependencies.length} dependencies.`));
    return 0;
  },
});
