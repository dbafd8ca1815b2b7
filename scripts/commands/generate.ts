import { relative } from 'node:path';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import type { FileDifference } from '../contract/generate/files.ts';
import { readConfig, withDefaults } from '../contract/read-config.ts';
import { allowOutsideOption } from '../lib/allow-outside.ts';
import { commandName, generateCommand } from '../lib/command-name.ts';
import { shellWord } from '../lib/shell-text.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';

ignoreBrokenPipe();

// The configuration may import generated files that do not exist yet.
const contractConfig = await readConfig().catch((error: Error) => {
  printLine(`${error.message}\n  The default settings are used.`, 'error');
  return withDefaults({});
});
const name = commandName('generate');

const program = exitWithUsageCode(new Command(name))
  .description('Generate types, operation table, validators, bundled contract, and the mock inside pages.')
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
  );

const { api, out, check, json, allowOutside } = program
  .parse()
  .opts<{ api: string; out: string; allowOutside: string[]; check?: true; json?: true }>();

// Imported lazily, so that --help and usage errors stay fast.
const { compareFiles, generateFiles, writeFiles } = await import('../contract/generate/files.ts');

const command =
  api === contractConfig.api && out === contractConfig.out
    ? generateCommand()
    : generateCommand(`--api ${shellWord(api)} --out ${shellWord(out)}`);

try {
  const files = await generateFiles(api, command, { ...contractConfig, allowOutside });
  if (check) await reportFreshness(await compareFiles(out, files));
  else {
    await writeFiles(out, files);
    const names = Object.keys(files).map((name) => `${out}/${name}`);
    if (json) printJson({ written: names });
    else printLine(successLine(`Generated ${names.join(', ')} from ${relative('.', api)}.`));
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (json) printJson({ error: message }, undefined, 'error');
  else printLine(failureLine(`${api} → ${out}/ failed.\n  ${message}`), 'error');
  process.exitCode = 2;
}

async function reportFreshness(findings: FileDifference[]): Promise<void> {
  if (json) printJson({ fresh: findings.length === 0, findings });
  else if (findings.length === 0) printLine(successLine(`${out}/ is up to date.`));
  for (const { name, problem } of json ? [] : findings)
    printLine(failureLine(advice(name, problem)), 'error');
  if (findings.length > 0) process.exitCode = 1;
}

function advice(name: string, problem: FileDifference['problem']): string {
  const file = `${out}/${name}`;
  if (problem === 'stray') return `${file} is not a generated file.\n  Run: rm ${shellWord(file)}`;
  const why =
    problem === 'missing' ? 'is missing' : 'is stale: the contract has changed since it was generated';
  return `${file} ${why}.\n  Run: ${command}`;
}
