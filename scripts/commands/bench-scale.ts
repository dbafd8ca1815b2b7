import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { createProgress } from '../../server/lib/progress.ts';
import { sizesFor } from '../lab/scale/dataset.ts';
import { measureQueries } from '../lab/scale/measure.ts';
import { printReport, type ScaleResult } from '../lab/scale/report.ts';
import {
  type ScaleEngine,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '../lab/scale/service-under-test.ts';
import { integerUpTo } from '../lib/machine-info.ts';
import { reportFailure } from '../lib/terminal.ts';

const engines: ScaleEngine[] = ['embedded', 'PostgreSQL'];
const thousandth = 1_000;

ignoreBrokenPipe();

const options = exitWithUsageCode(new Command('npm run growth --'))
  .description(
    'How does it take much data? Loads a data set and a thousandth of it with the importer, and asks everything of both, in turns.',
  )
  .option(
    '--contacts <count>',
    'of the large one; with a fifth as many conversations, five times as many messages',
    integerUpTo(999_999_999),
    1_000_000,
  )
  .option('--engine <name>', `only this one: ${engines.join(', ')}`, engineFrom)
  .option('--times <count>', 'how often each question is asked, at the most', integerUpTo(999_999_999), 500)
  .option('--folder <path>', 'where the data lie and stay, to be used again (a temporary one, removed)')
  .option('--json', 'print the result as JSON')
  .addHelpText(
    'after',
    `
PostgreSQL is started for the purpose; its programs (initdb, postgres) are needed. A million contacts take about
15 GB and a quarter of an hour on both engines.

Examples:
  npm run growth -- --contacts 20000 --engine embedded
  npm run growth -- --folder /var/tmp/growth

Exit codes: 0 measured, 1 could not be measured, 2 called wrongly.`,
  )
  .parse()
  .opts<{ contacts: number; engine?: ScaleEngine; times: number; folder?: string; json?: true }>();

const progress = createProgress(process.stderr, options.json ?? false);
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'parley growth '));
try {
  const results: ScaleResult[] = [];
  for (const engine of options.engine ? [options.engine] : engines) results.push(await growthOn(engine));
  progress.end();
  printReport(results, sizesFor(options.contacts), options.json ?? false);
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
  process.exitCode = 1;
} finally {
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function growthOn(engine: ScaleEngine): Promise<ScaleResult> {
  const locations: ServiceUnderTest[] = [];
  const open = async (contacts: number): Promise<ServiceUnderTest> => {
    const sizes = sizesFor(contacts);
    const all = sizes.contacts + sizes.conversations + sizes.messages;
    const location = await startServiceUnderTest({
      engine,
      sizes,
      folder,
      onProgress: (lines) =>
        progress.show(`${engine}: ${Math.floor((100 * lines) / all)} % of ${all.toLocaleString('en')} lines`),
    });
    locations.push(location);
    return location;
  };
  try {
    const small = await open(Math.max(1_000, options.contacts / thousandth));
    const large = await open(options.contacts);
    const measured = await measureQueries(
      { small, large },
      { times: options.times, onProgress: (question) => progress.show(`${engine}: ${question}`) },
    );
    const { lines, seconds } = large.loaded;
    return { engine, load: { lines, seconds }, measured };
  } finally {
    for (const location of locations) await location.close();
  }
}

function engineFrom(text: string): ScaleEngine {
  const found = engines.find((engine) => engine.toLowerCase() === text.toLowerCase());
  if (found) return found;
  throw new InvalidArgumentError(`There are ${engines.join(', ')}.`);
}
