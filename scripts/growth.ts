import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { exitWithTwoOnMisuse, ignoreClosedPipes } from '../server/command-line.ts';
import { createProgress } from '../server/progress.ts';
import { sizesFor } from './growth/dataset.ts';
import { type Measured, measure } from './growth/measure.ts';
import { type EngineName, openPlace, type Place } from './growth/place.ts';
import { say, sayFailure } from './terminal.ts';

const engines: EngineName[] = ['embedded', 'PostgreSQL'];
const thousandth = 1_000;

/** What is hoped for: the large one takes no longer than so many times the small one. */
const most = 2;

ignoreClosedPipes();

const options = exitWithTwoOnMisuse(new Command('npm run growth --'))
  .description(
    'How does it take much data? Loads a data set and a thousandth of it with the importer, and asks everything of both, in turns.',
  )
  .option(
    '--contacts <count>',
    'of the large one; with a fifth as many conversations, five times as many messages',
    countFrom,
    1_000_000,
  )
  .option('--engine <name>', `only this one: ${engines.join(', ')}`, engineFrom)
  .option('--times <count>', 'how often each question is asked, at the most', countFrom, 500)
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
  .opts<{ contacts: number; engine?: EngineName; times: number; folder?: string; json?: true }>();

interface Result {
  engine: EngineName;
  load: { lines: number; seconds: number };
  measured: Measured[];
}

const progress = createProgress(process.stderr, options.json ?? false);
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'parley growth '));
try {
  const results: Result[] = [];
  for (const engine of options.engine ? [options.engine] : engines) results.push(await growthOn(engine));
  progress.end();
  report(results);
} catch (error) {
  progress.end();
  sayFailure(error, options.json);
  process.exitCode = 1;
} finally {
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function growthOn(engine: EngineName): Promise<Result> {
  const places: Place[] = [];
  const open = async (contacts: number): Promise<Place> => {
    const sizes = sizesFor(contacts);
    const all = sizes.contacts + sizes.conversations + sizes.messages;
    const place = await openPlace({
      engine,
      sizes,
      folder,
      onProgress: (lines) =>
        progress.show(`${engine}: ${Math.floor((100 * lines) / all)} % of ${all.toLocaleString('en')} lines`),
    });
    places.push(place);
    return place;
  };
  try {
    const small = await open(Math.max(1_000, options.contacts / thousandth));
    const large = await open(options.contacts);
    const measured = await measure(
      { small, large },
      { times: options.times, onProgress: (question) => progress.show(`${engine}: ${question}`) },
    );
    const { lines, seconds } = large.loaded;
    return { engine, load: { lines, seconds }, measured };
  } finally {
    for (const place of places) await place.close();
  }
}

function report(results: readonly Result[]): void {
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
  if (options.json) {
    const sizes = sizesFor(options.contacts);
    say(JSON.stringify({ command: process.argv.slice(2), machine, sizes, results }, null, 2));
  } else {
    say(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`);
    for (const result of results) say(tableOf(result));
  }
}

const headings = ['small 50th', '99th', 'large 50th', '99th', 'ratio', '99th'];

function tableOf({ engine, load, measured }: Result): string {
  const speed = Math.round(load.lines / load.seconds).toLocaleString('en');
  return [
    `\n${engine}: ${load.lines.toLocaleString('en')} lines in ${Math.round(load.seconds)} s (${speed} a second)`,
    `${'milliseconds'.padEnd(40)} ${headings.map((heading) => heading.padStart(10)).join(' ')}`,
    ...measured.map(lineOf),
  ].join('\n  ');
}

function lineOf({ question, grows, small, large }: Measured): string {
  const ratios = [large.median / small.median, large.late / small.late];
  const figures = [small.median, small.late, large.median, large.late, ...ratios];
  const isFine = ratios.every((ratio) => ratio <= most);
  const mark = isFine ? '✔' : grows === undefined ? '✘' : `– ${grows}`;
  return `${question.padEnd(40)} ${figures.map((figure) => figure.toFixed(2).padStart(10)).join(' ')}  ${mark}`;
}

function engineFrom(text: string): EngineName {
  const found = engines.find((engine) => engine.toLowerCase() === text.toLowerCase());
  if (found) return found;
  throw new InvalidArgumentError(`There are ${engines.join(', ')}.`);
}

function countFrom(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.');
}
