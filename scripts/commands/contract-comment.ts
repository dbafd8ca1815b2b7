import { lstat, readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { upsertComment } from '../contract/check/pr-comment.ts';
import { commentMarker } from '../contract/check/reports/markdown.ts';
import { command, noSettings } from '../lib/command.ts';
import { commandIo } from '../lib/command-io.ts';
import { withoutActiveMarkdown } from '../lib/markdown-text.ts';
import { printLine, successLine } from '../lib/terminal.ts';

/** Reports have up to 60,000 characters, of up to 4 bytes. */
const maxReportBytes = 240_000;
/** GitHub rejects longer comments. */
const maxCommentCharacters = 65_536;

export const comment = command<{ pullRequest: number }, undefined>({
  readSettings: noSettings,
  declare: (program) =>
    program
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

Exit codes: 0 success, 2 usage error, or the comment could not be posted.`,
      ),
  async run({ pullRequest }, { args: [file = ''] }) {
    const {
      GITHUB_REPOSITORY: repository,
      GITHUB_API_URL: api = 'https://api.github.com',
      GITHUB_TOKEN: token,
    } = commandIo().env;
    if (!repository || !token) throw new Error('GITHUB_REPOSITORY and GITHUB_TOKEN must be set.');
    const report = await readReport(file);
    const done = await upsertComment({ api, repository, number: pullRequest, token }, commentMarker, report);
    printLine(successLine(`The comment was ${done}.`));
    return 0;
  },
});

/**
 * Reads a report, which code of a pull request may have written.
 * @throws Error if it is not a report of `check`
 */
async function readReport(file: string): Promise<string> {
  const found = await lstat(file);
  // A symbolic link could lead to a file with secrets of this job.
  if (!found.isFile()) throw new Error(`${file} is not a regular file.`);
  if (found.size > maxReportBytes) throw new Error(`${file} is larger than ${maxReportBytes} bytes.`);
  const report = await readFile(file, 'utf8');
  if (!report.startsWith(`${commentMarker}\n`))
    throw new Error(`${file} is not a report of check. Write one with check --markdown FILE.`);
  return withoutActiveMarkdown(report).slice(0, maxCommentCharacters);
}
