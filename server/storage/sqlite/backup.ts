import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { describeOpenError, isFileError, isLocked } from './errors.ts';

// Of 4 KiB each: between two parts others of this process get their turn.
const pagesAtOnce = 2_048;

/**
 * Copies a database as it is at one moment, whoever writes to it meanwhile, and checks the copy before it gets
 * its name. A copy is one file that needs no log beside it, and is open to nobody whom the original is not.
 * @param onProgress told which share of it is there, from 0 to 1
 * @throws Error where something has that name already, or what was copied is not sound; then there is no copy
 */
export async function backupSqlite(
  from: string,
  to: string,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} is there already. Choose another name, or move it away.`);
  if (!existsSync(dirname(to))) throw new Error(`There is no folder ${dirname(to)}.`);
  // Nobody can guess the name, and a file that is there is not opened: its owner would own the copy.
  const draft = `${to}.${randomUUID()}.part`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    await copyPages(from, draft, onProgress);
    const copy = new DatabaseSync(draft);
    try {
      copy.exec('PRAGMA journal_mode = DELETE');
      assertIntact(copy, from);
    } finally {
      copy.close();
    }
    chmodSync(draft, statSync(from).mode & 0o777);
    syncPath(draft);
    renameExclusively(draft, to);
  } catch (error) {
    throw error instanceof DatabaseCorrupted
      ? error
      : new Error(`${from} could not be copied to ${to}: ${describeOpenError(error)}`, { cause: error });
  } finally {
    for (const each of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`])
      rmSync(each, { force: true });
  }
}

/** Gives a file its name for good, unless something has it. */
export function renameExclusively(draft: string, name: string): void {
  linkSync(draft, name);
  rmSync(draft);
  syncPath(dirname(name));
}

async function copyPages(from: string, to: string, onProgress: (share: number) => void): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    // Without a transaction of its own a copy begins anew whenever somebody else commits.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await backup(source, to, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
    });
  } finally {
    source.close();
  }
}

/** A database is not whole. */
export class DatabaseCorrupted extends Error {}

/**
 * Looks through a whole database.
 * @param named what to call it
 * @throws Damaged where SQLite finds a fault, or a row that refers to nothing; Error where it cannot be looked through,
 * for want of memory say, which tells nothing of the file
 */
export function assertIntact(database: DatabaseSync, named: string): void {
  try {
    const [found] = database.prepare('PRAGMA integrity_check').all();
    if (found?.integrity_check !== 'ok')
      throw new DatabaseCorrupted(`${named} is damaged (${found?.integrity_check}).`);
    const [orphan] = database.prepare('PRAGMA foreign_key_check').all();
    if (orphan)
      throw new DatabaseCorrupted(`${named} is damaged: a row of ${orphan.table} refers to nothing.`);
  } catch (error) {
    if (error instanceof DatabaseCorrupted) throw error;
    if (!isFileError(error))
      throw new Error(`${named} cannot be looked through: ${describeOpenError(error)}`, { cause: error });
    throw new DatabaseCorrupted(`${named} is damaged (${error instanceof Error ? error.message : error}).`, {
      cause: error,
    });
  }
}

function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Opens a database for as long as nobody else has it open.
 * @throws Error where somebody has
 */
export function openExclusively(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Whoever has it open holds a lock of the log's, even while he does nothing.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw isLocked(error)
      ? new Error(`${file} is in use. Stop the service, and whatever else works on it, first.`, {
          cause: error,
        })
      : new Error(`${file} cannot be opened: ${describeOpenError(error)}`, { cause: error });
  }
}
