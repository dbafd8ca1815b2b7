import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { type MistakeResult, runRehearsal } from '../lab/rehearsal/run-rehearsal.ts';
import { printJson, printLine, reportFailure, terminalProgress } from '../lib/terminal.ts';

ignoreBrokenPipe();

const program = exitWithUsageCode(new Command('npm run test:rehearsal --'))
  .description(
    'Add a resource with a table, two operations and an event to a copy of the project, by the recipes in CONTRIBUTING.md. The copy must pass the gates. Then make each of several mistakes, which a gate must detect with a helpful message.',
  )
  .option('--full', 'also run all tests on the resource without mistakes; takes about ten minutes')
  .option('--json', 'print the results as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run test:rehearsal
  npm run test:rehearsal -- --full

Exit codes: 0 every mistake was detected, 1 a mistake was not detected, or the resource does not pass, 2 usage error.`,
  );
const { full = false, json = false } = program.parse().opts<{ full?: true; json?: true }>();

const progress = terminalProgress(json);
try {
  const results = await runRehearsal({ isFull: full, onProgress: (text) => progress.show(text) });
  progress.end();
  if (json) printJson(results, 2);
  else for (const result of results) printLine(lineOf(result));
  if (results.some(({ message }) => message === undefined)) process.exitCode = 1;
} catch (error) {
  progress.end();
  reportFailure(error, json);
}

function lineOf({ mistake, gate, seconds, message }: MistakeResult): string {
  const mark = message === undefined ? '✘' : '✔';
  return `${mark} ${mistake}\n    ${gate}, ${seconds} s: ${message?.slice(0, 200) ?? 'not detected'}`;
}
