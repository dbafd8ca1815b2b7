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

// Maximum size of a batch, which is one transaction. It hardly delays other writes, and an interruption loses only one batch,
// which the next run stores. Characters are limited, because those of some texts take a hundred times longer than others.
const maxBatch = { lines: 500, characters: 65_536 };

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

  const storeLines = async (lines: readonly ImportLine[]): Promise<void> => {
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
  for await (const lines of readLines(counted(chunks, tally)))
    for (const line of lines) {
      waiting.push(line);
      characters += line.text?.length ?? 0;
      if (waiting.length < maxBatch.lines && characters < maxBatch.characters) continue;
      await storeLines(waiting);
      waiting = [];
      characters = 0;
    }
  if (waiting.length > 0) await storeLines(waiting);
  if (tally.lines >= minAnalyzedLines) await store.write(analyzeTables);
  return tally;
}

async function* counted(chunks: AsyncIterable<Uint8Array>, tally: ImportCounts): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    tally.bytes += chunk.length;
    yield chunk;
  }
}
