import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { whyNot } from './sqlite-errors.ts';

// Of 4 KiB each: between two parts others of this process get their turn.
const pagesAtOnce = 2_048;

/**
 * Copies a database as it is at one moment, whoever writes to it meanwhile, and checks the copy before it gets
 * its name. A copy is one file that needs no log beside it.
 * @param onProgress told which share of it is there, from 0 to 1
 * @throws Error where something has that name already, or the copy is not sound; then there is none
 */
export async function copySqlite(
  from: string,
  to: string,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} is there already. Choose another name, or move it away.`);
  const draft = `${to}.${process.pid}.part`;
  try {
    await copyPages(from, draft, onProgress);
    seal(draft);
    // Nobody else may have taken the name meanwhile, as far as this can be known.
    if (existsSync(to)) throw new Error(`${to} has been made by somebody else meanwhile.`);
    renameSync(draft, to);
    sync(dirname(to));
  } catch (error) {
    throw new Error(`${to} could not be made: ${whyNot(error)}`, { cause: error });
  } finally {
    for (const each of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`])
      rmSync(each, { force: true });
  }
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

/** @throws Error where the copy is damaged */
function seal(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    refuseDamaged(copy);
  } finally {
    copy.close();
  }
  sync(file);
}

/** @throws Error where SQLite finds a fault, or a row that refers to nothing */
export function refuseDamaged(database: DatabaseSync): void {
  const [found] = database.prepare('PRAGMA integrity_check').all();
  const [orphan] = database.prepare('PRAGMA foreign_key_check').all();
  if (found?.integrity_check !== 'ok') throw new Error(`it is damaged (${found?.integrity_check}).`);
  if (orphan) throw new Error(`it is damaged: a row of ${orphan.table} refers to nothing.`);
}

function sync(path: string): void {
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
export function openAlone(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Whoever has it open holds a lock of the log's, even while he does nothing.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw new Error(`${file} is in use. Stop the service, and whatever else works on it, first.`, {
      cause: error,
    });
  }
}
