import { relative } from 'node:path';
import { buildClient, pack } from '../contract/client/build.ts';
import { command } from '../lib/command.ts';
import { failureLine, printLine, successLine } from '../lib/terminal.ts';

/** The entries of the package, with their maximum size: bundled for browsers, minified and compressed, in bytes. */
const entries = [
  { name: 'parley-client', file: 'client/index.js', limit: 6 * 1024 },
  { name: 'parley-client/webhooks', file: 'client/webhooks.js', limit: undefined },
  { name: 'parley-client/mock', file: 'generated/mock.js', limit: 50_000 },
];

export const clientBuild = command<{ out: string }>({
  declare: (program) =>
    program
      .description('Build the client from the contract and pack it as an npm package.')
      .option('--out <folder>', 'output folder', 'dist')
      .addHelpText(
        'after',
        `
Examples:
  npm run client:build
  npm install ./dist/parley-client-*.tgz     in another project

Exit codes: 0 success, 1 an entry is too large, 2 usage error, or the client cannot be built.`,
      ),
  async run({ out }, { progress }) {
    // Imported lazily, because it loads the bundler.
    const { bundleEntry } = await import('../contract/client/build.ts');
    progress.show('Compiling.');
    const folder = `${out}/client`;
    await buildClient(folder);
    const tarball = relative('.', await pack(folder, out));
    const sizes = await Promise.all(
      entries.map(async (entry) => ({
        ...entry,
        bytes: (await bundleEntry(`${folder}/${entry.file}`)).bytes,
      })),
    );
    printLine(successLine(`Packed ${tarball}.`));
    printLine('  minified and compressed:');
    for (const { name, bytes } of sizes) printLine(`    ${name.padEnd(24)}${kib(bytes).padStart(9)}`);
    const large = sizes.filter(({ bytes, limit }) => limit !== undefined && bytes > limit);
    for (const { name, limit = 0 } of large)
      printLine(failureLine(`${name} must be at most ${kib(limit)}.`), 'error');
    return large.length > 0 ? 1 : 0;
  },
});

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
