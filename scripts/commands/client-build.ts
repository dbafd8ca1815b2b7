import { relative } from 'node:path';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { buildClient, pack } from '../contract/client/build.ts';
import { bundleEntry } from '../contract/client/bundle-size.ts';
import { failureLine, printLine, successLine } from '../lib/terminal.ts';

ignoreBrokenPipe();

/** Maximum size of the package's main entry, bundled for browsers, minified and compressed. */
const limitBytes = 6 * 1024;

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

Exit codes: 0 success, 1 the main entry is too large, 2 usage error, or the client cannot be built.`,
  );
const { out, json } = program.parse().opts<{ out: string; json?: true }>();

try {
  const folder = `${out}/client`;
  await buildClient(folder);
  const tarball = relative('.', await pack(folder, out));
  const main = (await bundleEntry(`${folder}/client/index.js`)).bytes;
  const webhooks = (await bundleEntry(`${folder}/client/webhooks.js`)).bytes;
  if (json) printLine(JSON.stringify({ tarball, bytes: { main, webhooks }, limitBytes }));
  else {
    printLine(successLine(`Packed ${tarball}.`));
    printLine(
      `  minified and compressed: parley-client ${kib(main)}, parley-client/webhooks ${kib(webhooks)}`,
    );
  }
  if (main > limitBytes) {
    printLine(failureLine(`parley-client must be at most ${kib(limitBytes)}.`), 'error');
    process.exitCode = 1;
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  printLine(json ? JSON.stringify({ error: message }) : failureLine(message), 'error');
  process.exitCode = 2;
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
