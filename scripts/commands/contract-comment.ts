import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { exitWithUsageCode } from '../../server/lib/cli.ts';
import { upsertComment } from '../contract/check/pr-comment.ts';
import { commentMarker } from '../contract/check/reports/markdown.ts';
import { commandName } from '../lib/command-name.ts';
import { failureLine, printLine, successLine } from '../lib/terminal.ts';

const name = commandName('comment');

const program = exitWithUsageCode(new Command(name))
  .description(
    'Post the report of the contract check as a comment of a pull request, or update that comment.',
  )
  .argument('<file>', 'report written by --markdown')
  .requiredOption('--pull-request <number>', 'which one', (text) => {
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidArgumentError('It must be an integer.');
  })
  .addHelpText(
    'after',
    `
Environment, as set by GitHub Actions: GITHUB_REPOSITORY, GITHUB_API_URL, and GITHUB_TOKEN, which needs permission to
write to pull requests.

Exit codes: 0 success, 1 the comment could not be posted, 2 usage error.`,
  );
const { pullRequest } = program.parse().opts<{ pullRequest: number }>();
const {
  GITHUB_REPOSITORY: repository,
  GITHUB_API_URL: api = 'https://api.github.com',
  GITHUB_TOKEN: token,
} = process.env;

try {
  if (!repository || !token) throw new Error('GITHUB_REPOSITORY and GITHUB_TOKEN must be set.');
  const report = await readFile(program.args[0] ?? '', 'utf8');
  const done = await upsertComment({ api, repository, number: pullRequest, token }, commentMarker, report);
  printLine(successLine(`The comment was ${done}.`));
} catch (error) {
  printLine(failureLine(error instanceof Error ? error.message : String(error)), 'error');
  process.exitCode = 1;
}
