import { relative } from 'node:path';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { buildClient, pack } from '../contract/client/build.ts';
import { bundleEntry } from '../contract/client/bundle-size.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';

ignoreBrokenPipe();

/** The entries of the package, with their maximum size: bundled for browsers, minified and compressed, in bytes. */
const entries = [
  { name: 'parley-client', file: 'client/index.js', limit: 6 * 1024 },
  { name: 'parley-client/webhooks', file: 'client/webhooks.js', limit: undefined },
  { name: 'parley-client/mock', file: 'generated/mock.js', limit: 50_000 },
];

const program = exitWithUsageCode(new Command('npm run client:build --'))
  .description('Build the client from the contract and pack it as an npm package.')
  .option('--out <folder>', 'output folder', 'dist')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run client:build
  npm install ./dist/parley-client-*.tgz     in another project

Exit codes: 0 success, 1 an entry is too large, 2 usage error, or the client cannot be built.`,
  );
const { out, json } = program.parse().opts<{ out: string; json?: true }>();

try {
  const folder = `${out}/client`;
  await buildClient(folder);
  const tarball = relative('.', await pack(folder, out));
  const sizes = await Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      bytes: (await bundleEntry(`${folder}/${entry.file}`)).bytes,
    })),
  );
  if (json) printJson({ tarball, sizes: sizes.map(({ name, bytes, limit }) => ({ name, bytes, limit })) });
  else {
    printLine(successLine(`Packed ${tarball}.`));
    printLine('  minified and compressed:');
    for (const { name, bytes } of sizes) printLine(`    ${name.padEnd(24)}${kib(bytes).padStart(9)}`);
  }
  for (const { name, bytes, limit } of sizes)
    if (limit !== undefined && bytes > limit) {
      printLine(failureLine(`${name} must be at most ${kib(limit)}.`), 'error');
      process.exitCode = 1;
    }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (json) printJson({ error: message }, undefined, 'error');
  else printLine(failureLine(message), 'error');
  process.exitCode = 2;
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
