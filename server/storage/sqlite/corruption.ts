import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreCorrupted } from '../store.ts';
import { describeOpenError, isFileError } from './errors.ts';

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

/**
 * Whether the last page of a database file is incomplete. SQLite itself rejects a file that lacks whole pages, and reads
 * zeros instead of the missing part of a page. The result is false if there is a write-ahead log or a journal, because it
 * may contain the page.
 * @param database a connection that has read from the file. Otherwise, SQLite does not know the size of its pages
 */
export function isCutOff(database: DatabaseSync): boolean {
  const file = database.location() ?? '';
  const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  return sizeOf(`${file}-wal`) === 0 && sizeOf(`${file}-journal`) === 0 && sizeOf(file) % pageBytes !== 0;
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

/** A database is corrupted. */
export class DatabaseCorrupted extends Error {}

/**
 * Checks the integrity of a database.
 * @param named the name of the database in messages
 * @throws DatabaseCorrupted if SQLite finds corruption or a broken reference; Error if the check cannot run, for
 * example for lack of memory
 */
export function assertIntact(database: DatabaseSync, named: string): void {
  try {
    const [found] = database.prepare('PRAGMA integrity_check').all();
    if (found?.integrity_check !== 'ok')
      throw new DatabaseCorrupted(`${named} is corrupted (${found?.integrity_check}).`);
    if (isCutOff(database)) throw new DatabaseCorrupted(`${named} is corrupted: its end is missing.`);
    const [orphan] = database.prepare('PRAGMA foreign_key_check').all();
    if (orphan)
      throw new DatabaseCorrupted(
        `${named} is corrupted: a row of ${JSON.stringify(orphan.table)} refers to a missing row.`,
      );
  } catch (error) {
    if (error instanceof DatabaseCorrupted) throw error;
    if (!isFileError(error))
      throw new Error(`The integrity of ${named} cannot be checked: ${describeOpenError(error)}`, {
        cause: error,
      });
    throw new DatabaseCorrupted(
      `${named} is corrupted (${error instanceof Error ? error.message : error}).`,
      {
        cause: error,
      },
    );
  }
}
