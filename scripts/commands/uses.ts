import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { collectUses } from '../contract/uses/collect-uses.ts';
import type { UsesManifest } from '../contract/uses/manifest.ts';
import { packageNameOf, parseManifest } from '../contract/uses/read-consumers.ts';
import { commandName } from '../lib/command-name.ts';
import { counted } from '../lib/counted.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';

ignoreBrokenPipe();

const command = commandName('uses');

const program = exitWithUsageCode(new Command(command))
  .description(
    'Read a TypeScript project, and write a manifest of what it uses of an API: operations, parameters, properties, headers and events, with their places. The provider of the API then sees which changes break the project.',
  )
  .option('--project <file>', 'tsconfig.json of the project', 'tsconfig.json')
  .option('--out <file>', 'write the manifest to a file (default: standard output)')
  .option('--check <file>', 'exit with 1 if this manifest is not current, and write nothing')
  .option('--consumer <name>', 'name of the project in reports (default: the name in its package.json)')
  .option(
    '--types <file>',
    'types that openapi-typescript has generated; needed if the project imports those of several contracts, or of none',
  )
  .addHelpText(
    'after',
    `
A manifest contains names of the contract, and files and line numbers of the project. It contains no source text and no
values.

Examples:
  ${command} --out uses.json
  ${command} --check uses.json
  ${command} --project apps/shop/tsconfig.json --out consumers/shop.json

Exit codes: 0 success, 1 the manifest is not current (--check), 2 usage error, or the project cannot be read.`,
  );
const options = program.parse().opts<{
  project: string;
  out?: string;
  check?: string;
  consumer?: string;
  types?: string;
}>();

try {
  await main();
} catch (error) {
  printLine(failureLine(error instanceof Error ? error.message : String(error)), 'error');
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { project, out, check, types } = options;
  if (!existsSync(project)) throw new Error(`There is no ${project}. Name the tsconfig.json: --project FILE`);
  const startedAt = performance.now();
  const consumer = options.consumer ?? (await packageNameOf(project));
  const { manifest, lines } = collectUses({ project, consumer, now: new Date().toISOString(), types });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (check !== undefined) {
    const old = parseManifest(check, await readFile(check, 'utf8'));
    if (contentOf(old) === contentOf(manifest))
      printLine(successLine(`${check} is current: ${summaryOf(manifest)}.`), 'error');
    else {
      printLine(failureLine(`${check} is not current. Run: ${command} --out ${check}`), 'error');
      process.exitCode = 1;
    }
    return;
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  if (out === undefined) printJson(manifest, 2);
  else {
    await mkdir(dirname(out), { recursive: true });
    await writeFile(out, text);
  }
  printLine(successLine(`${summaryOf(manifest)}; ${lines} lines in ${seconds} s.`), 'error');
  for (const { at, reason } of manifest.escapes) printLine(`  not followed: ${at}: ${reason}`, 'error');
}

/** The time of the analysis does not matter. */
function contentOf({ createdAt: _createdAt, ...content }: UsesManifest): string {
  return JSON.stringify(content);
}

function summaryOf({ operations, reads, sends, escapes }: UsesManifest): string {
  return [
    counted(operations.length, 'operation'),
    `${counted(reads.length, 'property', 'properties')} read`,
    `${counted(sends.length, 'object')} sent`,
    `${counted(escapes.length, 'value')} not followed`,
  ].join(', ');
}
