import { execFile } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreCorrupted } from '../store.ts';

const checkProgram = join(import.meta.dirname, 'integrity-check-process.ts');
/** Exit code of the integrity check for a corrupted file. */
export const corruptionExitCode = 3;

/**
 * Remembers in this process that a file is corrupted. From then on nothing is committed to it, so that data can be
 * rescued; reads continue.
 */
export function createCorruptionGuard(file: string) {
  let corruption: StoreCorrupted | undefined;
  const closing = new AbortController();
  let runningCheck: Promise<unknown> = Promise.resolve();
  return {
    isKnown: (): boolean => corruption !== undefined,
    /** @throws StoreCorrupted if the file is known to be corrupted */
    refuse(): void {
      if (corruption) throw corruption;
    },
    /** Remembers an error if it reports corruption. @returns the error */
    notice(error: unknown): unknown {
      if (error instanceof StoreCorrupted) corruption ??= error;
      return error;
    },
    /** Checks the file in a separate process. @returns a description of the corruption, if there is any */
    checkIntegrity: (): Promise<string | undefined> =>
      new Promise((resolve, fail) => {
        const given = { signal: closing.signal };
        const child = execFile(process.execPath, [checkProgram, file], given, (error, output) => {
          if (error?.code === corruptionExitCode) {
            corruption ??= new StoreCorrupted('The database is corrupted.', { cause: new Error(output) });
            resolve(output);
          } else if (error && !closing.signal.aborted) fail(error);
          else resolve(undefined);
        });
        // A process that could not be started emits no `exit` event, so `close` must not wait for one.
        if (child.pid !== undefined) runningCheck = new Promise((over) => child.once('exit', over));
      }),
    /** Ends a running check, and waits until it has closed the file. */
    close(): Promise<unknown> {
      closing.abort();
      return runningCheck;
    },
  };
}

// https://sqlite.org/fileformat.html#the_database_header
const magic = 'SQLite format 3\0';
const headerBytes = 100;
const changed = 24;
const pages = 28;
const versionValidFor = 92;

// A file that looks truncated is checked up to `maxChecks` times, because another process may be closing the database:
// while closing, SQLite copies the write-ahead log into the database file and then deletes the log.
const maxChecks = 3;
const betweenMs = 50;

/**
 * Whether a database file is shorter than its header says. SQLite would notice only when it reads a missing page. The
 * result is false if there is a write-ahead log or a journal, because it may contain the missing part.
 */
export async function isTruncated(file: string): Promise<boolean> {
  for (let look = 1; looksCutOff(file); look += 1) {
    if (look === maxChecks) return true;
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
  // SQLite before 3.7.0 did not update the page count in the header, so the count is valid only if these are equal.
  if (header.readUInt32BE(changed) !== header.readUInt32BE(versionValidFor)) return false;
  const written = header.readUInt16BE(16);
  return size < header.readUInt32BE(pages) * (written === 1 ? 65_536 : written);
}

/**
 * Rolls back the interrupted creation of a file. A power loss during the creation leaves SQLite's journal behind. A
 * read-only connection cannot roll it back, but a connection that may write does so at its first read.
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
