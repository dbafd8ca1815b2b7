import { execFile } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreCorrupted } from '../store.ts';

const inspection = join(import.meta.dirname, 'integrity-check-process.ts');
/** The exit code of whoever has looked through a file and found it damaged. */
export const corruptionExitCode = 3;

/**
 * What this process knows of damage to a file. From then on it commits nothing more to it: what can be rescued is still
 * there, and what was not damaged is still read.
 */
export function createCorruptionGuard(file: string) {
  let corruption: StoreCorrupted | undefined;
  const closing = new AbortController();
  let looking: Promise<unknown> = Promise.resolve();
  return {
    isKnown: (): boolean => corruption !== undefined,
    /** @throws StoreCorrupted where something is known */
    refuse(): void {
      if (corruption) throw corruption;
    },
    /** Remembers it where an error is one of damage. @returns the error */
    notice(error: unknown): unknown {
      if (error instanceof StoreCorrupted) corruption ??= error;
      return error;
    },
    /** Looks through the whole file, in another process, for as long as it takes. @returns what is damaged */
    checkIntegrity: (): Promise<string | undefined> =>
      new Promise((resolve, fail) => {
        const given = { signal: closing.signal };
        const child = execFile(process.execPath, [inspection, file], given, (error, said) => {
          if (error?.code === corruptionExitCode) {
            corruption ??= new StoreCorrupted('The database is damaged.', { cause: new Error(said) });
            resolve(said);
          } else if (error && !closing.signal.aborted) fail(error);
          else resolve(undefined);
        });
        // One that could not be started never ends.
        if (child.pid !== undefined) looking = new Promise((over) => child.once('exit', over));
      }),
    /** Ends looking; whoever looks has let go of the file then. */
    close(): Promise<unknown> {
      closing.abort();
      return looking;
    },
  };
}

// https://sqlite.org/fileformat.html#the_database_header
const magic = 'SQLite format 3\0';
const headerBytes = 100;
const changed = 24;
const pages = 28;
const versionValidFor = 92;

// Somebody else may be at work on it: while he closes it, its log goes into it and is taken away.
const looks = 3;
const betweenMs = 50;

/**
 * Whether a file ends before its last page, by its own header: it was cut off, and SQLite would notice only when it gets
 * there. Where there is a log or a journal beside it, what is missing may be in that.
 */
export async function isTruncated(file: string): Promise<boolean> {
  for (let look = 1; looksCutOff(file); look += 1) {
    if (look === looks) return true;
    await wait(betweenMs);
  }
  return false;
}

function looksCutOff(file: string): boolean {
  const header = Buffer.alloc(headerBytes);
  const handle = openSync(file, 'r');
  let size: number;
  try {
    const isShort = readSync(handle, header) < headerBytes;
    size = fstatSync(handle).size;
    if (sizeOf(`${file}-wal`) > 0 || sizeOf(`${file}-journal`) > 0 || size === 0) return false;
    if (isShort) return header.toString('latin1', 0, magic.length).startsWith(magic.slice(0, size));
  } finally {
    closeSync(handle);
  }
  if (!header.toString('latin1').startsWith(magic)) return false;
  // Older programs left the number of pages as it was.
  if (header.readUInt32BE(changed) !== header.readUInt32BE(versionValidFor)) return false;
  const written = header.readUInt16BE(16);
  return size < header.readUInt32BE(pages) * (written === 1 ? 65_536 : written);
}

/**
 * Where the power went while the file was first made, SQLite's journal of that is beside it. Whoever only reads cannot
 * undo it, and would be told that the file cannot be written to; whoever opens it for writing does so by reading.
 */
export function rollBackUnfinishedCreation(file: string): void {
  if (sizeOf(`${file}-journal`) === 0) return;
  const raw = new DatabaseSync(file, { timeout: 5_000 });
  try {
    raw.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    raw.close();
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
