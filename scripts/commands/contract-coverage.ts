import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { loadContract } from '../contract/load/load-contract.ts';
import { readConfig } from '../contract/read-config.ts';
import { allowOutsideOption } from '../lib/allow-outside.ts';
import { commandName } from '../lib/command-name.ts';
import {
  failureLine,
  printJson,
  printLine,
  printLines,
  reportFailure,
  successLine,
} from '../lib/terminal.ts';
import { coverageItemsOf } from '../testing/coverage/coverage-items.ts';
import { beginRecording, currentCommit, readRecording } from '../testing/coverage/recording.ts';
import { type Coverage, coverageOf, formatCoverageReport } from '../testing/coverage/report.ts';
import { operationsOf } from '../testing/requests/operations.ts';
import { createSchemaContext } from '../testing/schema-values/schema-context.ts';

ignoreBrokenPipe();

const contractConfig = await readConfig();
const name = commandName('coverage');

/** File with the known uncovered items. A change may remove items, but not add any. */
const ratchet = contractConfig.uncovered;

const program = exitWithUsageCode(new Command(name))
  .description(
    'Show which parts of the contract the last npm test covered: operations, statuses, parameters, properties …',
  )
  .option('--api <file>', 'OpenAPI document (3.0 to 3.2, or Swagger 2.0)', contractConfig.api)
  .addOption(allowOutsideOption(contractConfig.allowOutside))
  .option('--begin', 'delete the recording; later tests record again')
  .option('--check', `exit with 1 if a part is not covered that ${ratchet} does not list`)
  .option('--update', `remove covered parts from ${ratchet}`)
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm test && ${name.replace(/ --$/, '')}
  ${name} --update

Exit codes: 0 success, 1 coverage decreased (--check), 2 usage error, or there is no recording.`,
  );
const { api, allowOutside, begin, check, update, json } = program
  .parse()
  .opts<
    { api: string; allowOutside: string[] } & Partial<Record<'begin' | 'check' | 'update' | 'json', true>>
  >();

if (begin) await beginRecording();
else await report().catch((error: unknown) => reportFailure(error, json));

async function report(): Promise<void> {
  const context = createSchemaContext(await loadContract(api, { allowOutside }));
  const recording = await readRecording();
  if (!recording) return reportFailure(new Error('There is no recording.\n  Run: npm test'), json);
  const now = await currentCommit();
  const coverage = coverageOf(
    coverageItemsOf(context, operationsOf(context)),
    recording.reached,
    recording.commit,
  );
  const allowed: string[] = JSON.parse(await readFile(ratchet, 'utf8').catch(() => '[]'));
  if (json) printJson(coverage, 2);
  else if (!check) printLines(formatCoverageReport(coverage));
  if (recording.commit !== now && !json)
    printLine(
      `The recording is of ${recording.commit || 'an unknown state'}; the checkout is at ${now || 'an unknown one'}.`,
      'error',
    );
  // `--update` only removes items: with a recording of only a few tests, it would otherwise add nearly every item.
  if (update)
    await writeFile(
      ratchet,
      `${JSON.stringify(
        coverage.gaps.filter((gap) => allowed.includes(gap)),
        null,
        2,
      )}\n`,
    );
  else if (check) compare(coverage, allowed);
}

function compare({ gaps, total }: Coverage, allowed: string[]): void {
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
    process.exitCode = 1;
  }
  if (won.length > 0)
    printLine(`  ${ratchet} lists ${won.length} parts that are covered now. Run: ${name} --update`, 'error');
}
