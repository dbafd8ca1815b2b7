import { analyzeTables } from '../../storage/queries/bulk.ts';
import type { Store } from '../../storage/store.ts';
import { type ImportLine, readLines } from './ndjson-reader.ts';
import { type ImportError, parseRecord, type RecordType } from './record.ts';
import { type NumberedRecord, storeBatch } from './store-batch.ts';

/** The progress of an import. */
export interface ImportCounts {
  /** Lines read so far, without blank ones. */
  lines: number;
  bytes: number;
  made: Record<RecordType, number>;
  alreadyThere: number;
  bad: number;
}

export interface ImportOptions {
  store: Store;
  companyId: number;
  chunks: AsyncIterable<Uint8Array>;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Called for each line that cannot be stored, in the order of the file. */
  onBad: (line: ImportError & { number: number }) => void;
  /** Called after each batch. */
  onProgress: (tally: ImportCounts) => void;
}

// Maximum size of a batch, which is one transaction. It hardly delays other writes, and an interruption loses only
// one batch, which the next run stores.
const maxBatch = { lines: 2_500, characters: 4_194_304 };
const minBatch = { lines: 25, characters: 32_768 };
const partMs = 200;

// After imports of at least this many lines, the statistics of the query planner are updated.
const minAnalyzedLines = 5_000;

/** Imports newline-delimited JSON in batches. Invalid lines are reported and skipped. */
export async function runImport(options: ImportOptions): Promise<ImportCounts> {
  const { store, companyId, chunks, now, onBad, onProgress } = options;
  const tally: ImportCounts = {
    lines: 0,
    bytes: 0,
    made: { contact: 0, conversation: 0, message: 0 },
    alreadyThere: 0,
    bad: 0,
  };

  const storePart = async (lines: readonly ImportLine[]): Promise<void> => {
    const bad: (ImportError & { number: number })[] = [];
    const good: NumberedRecord[] = [];
    for (const line of lines) {
      const read =
        line.wrong === undefined
          ? parseRecord(line.text)
          : { wrong: { message: `${line.wrong}.`, fields: '' } };
      if (read.wrong) bad.push({ number: line.number, ...read.wrong });
      else good.push({ number: line.number, entry: read.entry });
    }
    const stored = await store.write((db) => storeBatch(db, companyId, good, now()), companyId);
    bad.push(...stored.bad);
    for (const line of bad.sort((one, other) => one.number - other.number)) onBad(line);
    tally.lines += lines.length;
    tally.bad += bad.length;
    tally.alreadyThere += stored.alreadyThere;
    for (const kind of Object.keys(tally.made) as RecordType[]) tally.made[kind] += stored.made[kind];
    onProgress({ ...tally });
  };

  let waiting: ImportLine[] = [];
  let characters = 0;
  let part = { lines: 500, characters: 524_288 };
  for await (const lines of readLines(counted(chunks, tally)))
    for (const line of lines) {
      waiting.push(line);
      characters += line.text?.length ?? 0;
      if (waiting.length < part.lines && characters < part.characters) continue;
      const startedAt = performance.now();
      await storePart(waiting);
      part = resized(part, performance.now() - startedAt);
      waiting = [];
      characters = 0;
    }
  if (waiting.length > 0) await storePart(waiting);
  if (tally.lines >= minAnalyzedLines) await store.write(analyzeTables);
  return tally;
}

/**
 * Some lines take a hundred times longer than others, so each batch is sized by the duration of the previous one.
 */
function resized(part: typeof maxBatch, tookMs: number): typeof maxBatch {
  const factor = Math.min(2, Math.max(0.25, partMs / Math.max(1, tookMs)));
  const within = (size: number, low: number, high: number) =>
    Math.round(Math.min(high, Math.max(low, size * factor)));
  return {
    lines: within(part.lines, minBatch.lines, maxBatch.lines),
    characters: within(part.characters, minBatch.characters, maxBatch.characters),
  };
}

async function* counted(chunks: AsyncIterable<Uint8Array>, tally: ImportCounts): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    tally.bytes += chunk.length;
    yield chunk;
  }
}
