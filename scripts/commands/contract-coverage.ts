import { readFile } from 'node:fs/promises';
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
  // `uncovered` names the file with the known uncovered items. A change may remove items, but not add any.
  declare: (program, { uncovered: ratchet }, name) =>
    program
      .description(
        'Show which parts of the contract the last npm test covered: operations, statuses, parameters, properties …',
      )
      .option('--begin', 'delete the recording; later tests record again')
      .option('--check', `exit with 1 if a part is not covered that ${ratchet} does not list`)
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Examples:
  npm test && ${name.replace(/ --$/, '')}

Exit codes: 0 success, 1 coverage decreased (--check), 2 usage error, or there is no recording.`,
      ),
  async run({ api, allowOutside, begin, check, json }, { settings }) {
    if (begin) {
      await beginRecording();
      return 0;
    }
    // Imported lazily, so that --help and usage errors stay fast.
    const { loadContract } = await import('../contract/load/load-contract.ts');
    const { coverageItemsOf } = await import('../testing/coverage/coverage-items.ts');
    const { operationsOf } = await import('../testing/requests/operations.ts');
    const { createSchemaContext } = await import('../testing/schema-values/schema-context.ts');
    const ratchet = settings.uncovered;
    const context = createSchemaContext((await loadContract(api, { allowOutside })).document);
    const reached = new Set(await readRecording<string>('reached'));
    const covered = coverageOf(coverageItemsOf(context, operationsOf(context)), reached);
    const allowed: string[] = JSON.parse(await readFile(ratchet, 'utf8').catch(() => '[]'));
    if (json) printJson(covered, 2);
    else if (!check) printLines(formatCoverageReport(covered));
    if (!check) return 0;
    const { gaps, total } = covered;
    const lost = gaps.filter((gap) => !allowed.includes(gap));
    const won = allowed.filter((gap) => !gaps.includes(gap));
    const counted = Object.entries(total).map(([kind, { reached, of }]) => `${kind} ${reached}/${of}`);
    if (lost.length === 0) {
      if (!json) printLine(successLine(`Covered: ${counted.join(', ')}.`));
    } else {
      printLine(
        failureLine(
          `The tests cover less of the contract than before:\n${lost.map((gap) => `  ${gap}`).join('\n')}`,
        ),
        'error',
      );
      printLine(`  Add a test that covers it. List parts that cannot be covered in ${ratchet}.`, 'error');
    }
    if (won.length > 0)
      printLine(
        `  ${ratchet} lists parts that are covered now. Remove them:\n${won.map((gap) => `  ${gap}`).join('\n')}`,
        'error',
      );
    return lost.length === 0 ? 0 : 1;
  },
});
