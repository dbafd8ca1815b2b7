import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import type { FileDifference } from '../contract/generate/files.ts';
import { readConfig, withDefaults } from '../contract/read-config.ts';
import { generateCommand } from '../lib/command-io.ts';
import { shellWord } from '../lib/shell-text.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';

interface Options extends ApiOptions {
  out: string;
  check?: true;
  json?: true;
}

export const generate = contractCommand<Options>({
  // The configuration may import generated files that do not exist yet.
  readSettings: () =>
    readConfig().catch((error: Error) => {
      printLine(`${error.message}\n  The default settings are used.`, 'error');
      return withDefaults({});
    }),
  declare: (program, contractConfig, name) =>
    program
      .description(
        'Generate types, operation table, validators, bundled contract, and the mock inside pages.',
      )
      .option('--out <folder>', 'output folder', contractConfig.out)
      .option('--check', 'write nothing; exit with 1 if the folder is stale')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Examples:
  ${name}
  ${name} --check
  ${name} --api other/openapi.yaml --out src/generated

Exit codes: 0 success, 1 stale (--check), 2 usage error, or a file cannot be read or written.`,
      ),
  async run({ api, out, check, json, allowOutside }, { settings }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { compareFiles, generateFiles, writeFiles } = await import('../contract/generate/files.ts');
    const { locateNote } = await import('../contract/load/diagnosis.ts');
    const { unenforcedOperations } = await import('../contract/doctor/unenforced-operations.ts');
    const { staleDocuments } = await import('../contract/generate/document-tables.ts');

    const isOwn = api === settings.api && out === settings.out;
    const derived = (isOwn && (await settings.derived?.())) || {};
    if (!check) await writeFiles(out, derived);
    // The same name for all options, so that settings in a file make no generated file stale.
    const { contract, files } = await generateFiles(api, generateCommand(), {
      ...settings,
      allowOutside,
      out,
    });
    for (const note of unenforcedOperations(contract))
      printLine(failureLine(await locateNote(api, note, contract.locate)), 'error');
    // After the generated files are written: the tables import some of them.
    const findStale = async (): Promise<Record<string, string>> =>
      isOwn ? staleDocuments(settings, contract.document) : {};
    if (!check) {
      await writeFiles(out, files);
      const documents = await findStale();
      for (const [file, text] of Object.entries(documents)) await writeFile(file, text);
      const names = [
        ...Object.keys({ ...derived, ...files }).map((name) => `${out}/${name}`),
        ...Object.keys(documents),
      ];
      if (json) printJson({ written: names });
      else printLine(successLine(`Generated ${names.join(', ')} from ${relative('.', api)}.`));
      return 0;
    }
    const findings = await compareFiles(out, { ...derived, ...files }, Object.keys(await findStale()));
    if (json) printJson({ fresh: findings.length === 0, findings });
    else if (findings.length === 0) printLine(successLine(`${out}/ is up to date.`));
    else {
      const advised = generateCommand(isOwn ? '' : `--api ${shellWord(api)} --out ${shellWord(out)}`);
      for (const found of findings) printLine(failureLine(advice(out, found, advised)), 'error');
    }
    return findings.length > 0 ? 1 : 0;
  },
});

function advice(out: string, { name, problem }: FileDifference, command: string): string {
  const file = join(out, name);
  if (problem === 'stray') return `${file} is not a generated file.\n  Run: rm ${shellWord(file)}`;
  const why = problem === 'missing' ? 'is missing' : 'is stale: what it is generated from has changed';
  return `${file} ${why}.\n  Run: ${command}`;
}
