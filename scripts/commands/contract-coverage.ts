import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { failureLine, printJson, printLine, printLines, successLine } from '../lib/terminal.ts';
import { beginRecording, readRecording } from '../testing/coverage/recording.ts';
import { coverageOf, formatCoverageReport } from '../testing/coverage/report.ts';

interface Options extends ApiOptions {
  begin?: true;
  check?: true;
  json?: true;
}

export const coverage = contractCommand<Options>({
  declare: (program, _config, name) =>
    program
      .description(
        'Show which parts of the contract the last npm test covered: operations, statuses, parameters, properties …',
      )
      .option('--begin', 'delete the recording; later tests record again')
      .option('--check', 'exit with 1 if a part is not covered')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Examples:
  npm test && ${name.replace(/ --$/, '')}

Exit codes: 0 success, 1 a part is not covered (--check), 2 usage error, or there is no recording.`,
      ),
  async run({ api, allowOutside, begin, check, json }) {
    if (begin) {
      await beginRecording();
      return 0;
    }
    // Imported lazily, so that --help and usage errors stay fast.
    const { loadContract } = await import('../contract/load/load-contract.ts');
    const { coverageItemsOf } = await import('../testing/coverage/coverage-items.ts');
    const { operationsOf } = await import('../testing/requests/operations.ts');
    const { createSchemaContext } = await import('../testing/schema-values/schema-context.ts');
    const context = createSchemaContext((await loadContract(api, { allowOutside })).document);
    const reached = new Set(await readRecording<string>('reached'));
    const covered = coverageOf(coverageItemsOf(context, operationsOf(context)), reached);
    if (json) printJson(covered, 2);
    else if (!check) printLines(formatCoverageReport(covered));
    if (!check) return 0;
    const { gaps, total } = covered;
    const counted = Object.entries(total).map(([kind, { reached, of }]) => `${kind} ${reached}/${of}`);
    if (gaps.length > 0) {
      const lines = gaps.map((gap) => `\n  ${gap}`).join('');
      printLine(failureLine(`The tests do not cover these parts of the contract:${lines}`), 'error');
      printLine('  Add a test for each.', 'error');
    } else if (!json) printLine(successLine(`Covered: ${counted.join(', ')}.`));
    return gaps.length === 0 ? 0 : 1;
  },
});
