import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ContractConfig } from '../contract/config.ts';
import type { FileDifference } from '../contract/generate/files.ts';
import { readConfig, withDefaults } from '../contract/read-config.ts';
import { allowOutsideOption } from '../lib/allow-outside.ts';
import { command } from '../lib/command.ts';
import { generateCommand } from '../lib/command-name.ts';
import { shellWord } from '../lib/shell-text.ts';
import { failureLine, printJson, printLine, printLines, successLine } from '../lib/terminal.ts';

interface Options {
  api: string;
  out: string;
  allowOutside: string[];
  check?: true;
  json?: true;
}

export const generate = command<Options, ContractConfig>({
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
      .option('--api <file>', 'OpenAPI document (3.0 to 3.2, or Swagger 2.0)', contractConfig.api)
      .addOption(allowOutsideOption(contractConfig.allowOutside))
      .option('--out <folder>', 'output folder', contractConfig.out)
      .option('--check', 'write nothing; exit with 1 if the folder is stale')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Examples:
  ${name}
  ${name} --check
  ${name} --api other/openapi.yaml --out other/generated

Exit codes: 0 success, 1 stale (--check), 2 usage error, or a file cannot be read or written.`,
      ),
  async run({ api, out, check, json, allowOutside }, { settings }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { compareFiles, generateFiles, writeFiles } = await import('../contract/generate/files.ts');
    const { staleDocuments } = await import('../contract/generate/document-tables.ts');

    const advised =
      api === settings.api && out === settings.out
        ? generateCommand()
        : generateCommand(`--api ${shellWord(api)} --out ${shellWord(out)}`);

    const { document, files } = await generateFiles(api, advised, { ...settings, allowOutside });
    const isOwn = api === settings.api && out === settings.out;
    const documents = async (): Promise<Record<string, string>> =>
      isOwn ? staleDocuments(settings, document) : {};
    if (!check) {
      const changed = await compareFiles(out, files);
      await writeFiles(out, files);
      // The tables import generated files, which this process may have loaded before they changed.
      const isChanged = changed.some(({ problem }) => problem !== 'stray');
      if (isOwn && settings.tables && isChanged && !process.env[secondRun]) return runAgain();
      const filled = await documents();
      for (const [file, text] of Object.entries(filled)) await writeFile(file, text);
      const names = [...Object.keys(files).map((name) => `${out}/${name}`), ...Object.keys(filled)];
      if (json) printJson({ written: names });
      else printLine(successLine(`Generated ${names.join(', ')} from ${relative('.', api)}.`));
      return 0;
    }
    const findings = await compareFiles(out, files);
    // The tables import generated files.
    if (findings.length === 0)
      for (const file of Object.keys(await documents()))
        findings.push({ name: relative(out, file), problem: 'stale' });
    if (json) printJson({ fresh: findings.length === 0, findings });
    else if (findings.length === 0) printLine(successLine(`${out}/ is up to date.`));
    else for (const found of findings) printLine(failureLine(advice(out, found, advised)), 'error');
    return findings.length > 0 ? 1 : 0;
  },
});

/** Set for a process that was started because generated files had changed. */
const secondRun = 'PARLEY_GENERATE_SECOND_RUN';

/** Runs the same command in a new process. @returns its exit code */
async function runAgain(): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [secondRun]: 'yes' },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (err !== '') printLines(err.trimEnd(), 'error');
  if (out !== '') printLines(out.trimEnd());
  return code ?? 2;
}

function advice(out: string, { name, problem }: FileDifference, command: string): string {
  const file = join(out, name);
  if (problem === 'stray') return `${file} is not a generated file.\n  Run: rm ${shellWord(file)}`;
  const why = problem === 'missing' ? 'is missing' : 'is stale: what it is generated from has changed';
  return `${file} ${why}.\n  Run: ${command}`;
}
