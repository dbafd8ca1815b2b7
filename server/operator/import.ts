import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ImportCounts, runImport } from '../features/import/run-import.ts';
import { errorMessage } from '../lib/error-message.ts';
import { escapeControlCharactersInJson, replaceControlCharacters } from '../lib/terminal.ts';
import { command, type Ids } from './command.ts';
import { cliIo, requireCompany } from './context.ts';

const notes = `
Each line is a JSON object with a "kind" (contact, conversation or message) and a "key", which you choose. The
other properties are those of the API; timestamps and states are stored as given. A conversation names its
contact by "contact" (a key) or "caller_id" (an ID), a message its conversation by "conversation" or
"conversation_id". The named object must exist, or be on an earlier line.

  {"kind": "contact", "key": "c1", "first_name": "Ada", "created_at": "2024-05-17T08:00:00Z"}
  {"kind": "conversation", "key": "t1", "contact": "c1", "service": "mail", "is_closed": true}
  {"kind": "message", "key": "m1", "conversation": "t1", "type": "text", "payload": "Hello", "read": true}

Known keys are skipped, so the same file can be imported again, for example after an interruption. Invalid
lines are skipped, and reported on standard error by number (with --json as JSON); the exit code is then 1.
Imports make no events.`;

// It is long, because another import may be running.
const lockWaitMs = 300_000;

export const importFile = command<Ids<'company'>>({
  name: 'import',
  about: 'Import contacts, conversations and messages from newline-delimited JSON.',
  of: ['company'],
  options: (made) => made.argument('<file>', 'NDJSON file; - reads standard input'),
  notes,
  examples: [
    'import --company 1 history.ndjson',
    'gunzip -c history.ndjson.gz | npm run -s parley -- import --company 1 -',
  ],
  lockWaitMs,
  async run({ store, now }, { company, json = false }, [file = '']) {
    await store.read((db) => requireCompany(db, company));
    const io = cliIo();
    const size = await sizeOf(file);
    const startedAt = performance.now();
    const { progress } = io;
    let lines = 0;
    const tally = await runImport({
      store,
      companyId: company,
      chunks: file === '-' ? io.stdin : createReadStream(file, { highWaterMark: 1 << 18 }),
      now,
      onBad: ({ number, message, fields }) =>
        progress.say(
          json
            ? escapeControlCharactersInJson({ line: number, message, fields })
            : `line ${number}: ${replaceControlCharacters(message)}`,
        ),
      onProgress: (at) => {
        lines = at.lines;
        progress.show(progressOf(at, size));
      },
    }).catch((error: unknown) => {
      throw new Error(
        `${errorMessage(error)} After ${counted(lines, 'line')} the import was interrupted. Run it again: stored objects are skipped.`,
      );
    });
    if (tally.bad > 0) io.exitCode = 1;
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      text: summaryOf(tally, seconds),
      json: {
        lines: tally.lines,
        made: tally.made,
        already_there: tally.alreadyThere,
        bad: tally.bad,
        seconds: Number(seconds.toFixed(3)),
      },
    };
  },
});

const counted = (count: number, what = ''): string =>
  `${count.toLocaleString('en')} ${what}${what && count !== 1 ? 's' : ''}`.trim();

/** Returns the size of a file in bytes; 0 for standard input, whose size is unknown. */
async function sizeOf(file: string): Promise<number> {
  if (file === '-') return 0;
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new Error(`The file ${file} does not exist.`);
  if (found.isDirectory()) throw new Error(`${file} is a folder, not a file.`);
  return found.size;
}

const progressOf = ({ lines, bytes, bad }: ImportCounts, size: number): string =>
  [
    counted(lines, 'line'),
    ...(size > 0 ? [`${Math.floor((100 * bytes) / size)} %`] : []),
    ...(bad > 0 ? [`${counted(bad)} bad`] : []),
  ].join(', ');

function summaryOf({ lines, made, alreadyThere, bad }: ImportCounts, seconds: number): string {
  // No speed is shown for a short run, because startup would distort it.
  const speed = seconds < 1 ? '' : ` (${counted(Math.round(lines / seconds))} a second)`;
  return [
    `${counted(lines, 'line')} in ${seconds.toFixed(1)} s${speed}:`,
    ...Object.entries(made).map(([kind, count]) => `  ${counted(count, kind)} made`),
    `  ${counted(alreadyThere)} already there`,
    `  ${counted(bad)} bad`,
  ].join('\n');
}
