import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { UsesManifest } from '../contract/uses/manifest.ts';
import { command } from '../lib/command.ts';
import { counted } from '../lib/counted.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';

interface Options {
  project: string;
  out?: string;
  check?: string;
  consumer?: string;
  types?: string;
}

export const uses = command<Options>({
  declare: (program, name) =>
    program
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
  ${name} --out uses.json
  ${name} --check uses.json
  ${name} --project apps/shop/tsconfig.json --out consumers/shop.json

Exit codes: 0 success, 1 the manifest is not current (--check), 2 usage error, or the project cannot be read.`,
      ),
  async run({ project, out, check, consumer: given, types }, { name }) {
    if (!existsSync(project))
      throw new Error(`There is no ${project}. Name the tsconfig.json: --project FILE`);
    const startedAt = performance.now();
    // Imported lazily, because it loads the TypeScript compiler.
    const { collectUses } = await import('../contract/uses/collect-uses.ts');
    const { readProject } = await import('../contract/uses/read-project.ts');
    const { packageNameOf, parseManifest } = await import('../contract/uses/read-consumers.ts');
    const consumer = given ?? (await packageNameOf(project));
    const { manifest, lines } = collectUses(readProject(project, types), consumer);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (check !== undefined) {
      const old = parseManifest(check, await readFile(check, 'utf8'));
      const isCurrent = JSON.stringify(old) === JSON.stringify(manifest);
      if (isCurrent) printLine(successLine(`${check} is current: ${summaryOf(manifest)}.`), 'error');
      else printLine(failureLine(`${check} is not current. Run: ${name} --out ${check}`), 'error');
      return isCurrent ? 0 : 1;
    }
    if (out === undefined) printJson(manifest, 2);
    else {
      await mkdir(dirname(out), { recursive: true });
      await writeFile(out, `${JSON.stringify(manifest, null, 2)}\n`);
    }
    printLine(successLine(`${summaryOf(manifest)}; ${lines} lines in ${seconds} s.`), 'error');
    for (const { at, reason } of manifest.escapes) printLine(`  not followed: ${at}: ${reason}`, 'error');
    return 0;
  },
});

function summaryOf({ operations, reads, sends, escapes }: UsesManifest): string {
  return [
    counted(operations.length, 'operation'),
    `${counted(reads.length, 'property', 'properties')} read`,
    `${counted(sends.length, 'object')} sent`,
    `${counted(escapes.length, 'value')} not followed`,
  ].join(', ');
}
