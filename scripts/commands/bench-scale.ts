import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { sizesFor } from '../lab/scale/dataset.ts';
import { measureQueries } from '../lab/scale/measure.ts';
import { printReport, type ScaleResult } from '../lab/scale/report.ts';
import {
  type ScaleEngine,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '../lab/scale/service-under-test.ts';
import { walkLists } from '../lab/scale/walk.ts';
import { integerUpTo } from '../lib/machine-info.ts';
import { wholeNumber } from '../lib/option-parsers.ts';
import { reportFailure, terminalProgress } from '../lib/terminal.ts';

const engines: ScaleEngine[] = ['embedded', 'PostgreSQL'];
const thousandth = 1_000;

ignoreBrokenPipe();

const options = exitWithUsageCode(new Command('npm run bench:scale --'))
  .description(
    'Measure every operation on a large and on a small data set. The importer loads both; the small one has a thousandth of the contacts.',
  )
  .option(
    '--contacts <count>',
    'contacts of the large data set; it also gets 1/5 as many conversations and 5 times as many messages',
    integerUpTo(999_999_999),
    1_000_000,
  )
  .addOption(new Option('--engine <name>', 'use only this database').choices(engines))
  .option('--repetitions <count>', 'maximum number of requests per query', integerUpTo(999_999_999), 500)
  .option('--values <count>', 'custom-field values of each contact', wholeNumber, 2)
  .option('--walks-only', 'only read whole lists, page by page')
  .option('--data-dir <path>', 'keep the data here for the next run (default: a temporary folder)')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
Starts a PostgreSQL server of its own, which needs the programs initdb and postgres. A million contacts take about 15 GB
and 15 min on both databases.

Examples:
  npm run bench:scale -- --contacts 20000 --engine embedded
  npm run bench:scale -- --data-dir /var/tmp/parley-scale

Exit codes: 0 measured, 1 could not be measured, 2 usage error.`,
  )
  .parse()
  .opts<{
    contacts: number;
    values: number;
    walksOnly?: true;
    engine?: ScaleEngine;
    repetitions: number;
    dataDir?: string;
    json?: true;
  }>();

const progress = terminalProgress(options.json ?? false);
const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'parley scale '));
// PostgreSQL may run as another user, who must be able to open the folder.
if (options.dataDir === undefined) chmodSync(folder, 0o755);
try {
  const results: ScaleResult[] = [];
  for (const engine of options.engine ? [options.engine] : engines) results.push(await measureOn(engine));
  progress.end();
  printReport(results, sizesFor(options.contacts, options.values), options.json ?? false);
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
  process.exitCode = 1;
} finally {
  if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measureOn(engine: ScaleEngine): Promise<ScaleResult> {
  const services: ServiceUnderTest[] = [];
  const open = async (contacts: number): Promise<ServiceUnderTest> => {
    const sizes = sizesFor(contacts, options.values);
    const all = sizes.contacts + sizes.conversations + sizes.messages;
    const location = await startServiceUnderTest({
      engine,
      sizes,
      folder,
      onProgress: (lines) =>
        progress.show(`${engine}: ${Math.floor((100 * lines) / all)} % of ${all.toLocaleString('en')} lines`),
    });
    services.push(location);
    return location;
  };
  try {
    const small = await open(Math.max(1_000, options.contacts / thousandth));
    const large = await open(options.contacts);
    const onProgress = (text: string) => progress.show(`${engine}: ${text}`);
    const measured = options.walksOnly
      ? []
      : await measureQueries({ small, large }, { times: options.repetitions, onProgress });
    const walks = await walkLists({ small, large }, onProgress);
    const { lines, seconds } = large.loaded;
    return { engine, load: { lines, seconds }, measured, walks };
  } finally {
    for (const location of services) await location.close();
  }
}
