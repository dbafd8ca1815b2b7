import { closeSync, existsSync, fsyncSync, linkSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { assertIntact, DatabaseCorrupted } from './corruption.ts';
import { describeOpenError, isLocked } from './errors.ts';
import { assertOwnSchema } from './own-schema.ts';

// Number of 4-KiB pages per step. The process does other work between two steps.
const pagesAtOnce = 2_048;

/**
 * Copies a consistent snapshot of a database, even while processes write to the database. The schema and the integrity
 * of the copy are checked before it gets its final name. The copy is one file that only its owner can read.
 * @param onProgress called with the share copied so far, from 0 to 1
 * @throws DatabaseCorrupted if the copy is corrupted; Error if its schema is not that of Parley, or the name is taken or copying fails. No copy is left.
 */
export async function backupSqlite(
  from: string,
  to: string,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} exists already. Choose another name, or move it away.`);
  if (!existsSync(dirname(to))) throw new Error(`The folder ${dirname(to)} does not exist.`);
  let folder: string | undefined;
  try {
    folder = privateFolderBeside(to);
    const draft = join(folder, basename(to));
    closeSync(openSync(draft, 'wx', 0o600));
    await copyPages(from, draft, onProgress);
    const copy = new DatabaseSync(draft);
    try {
      // Checking the integrity evaluates expressions of the schema, and starts modules of virtual tables.
      await assertOwnSchema(copy);
      copy.exec('PRAGMA journal_mode = DELETE');
      assertIntact(copy, from);
    } finally {
      copy.close();
    }
    syncPath(draft);
    renameExclusively(draft, to);
  } catch (error) {
    throw error instanceof DatabaseCorrupted
      ? error
      : new Error(`${from} could not be copied to ${to}: ${describeOpenError(error)}`, { cause: error });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates a folder for an unfinished database, on the file system of the given file. Only its owner can write to the
 * folder. Otherwise another user could place a log (`-wal`, `-journal`) next to the database, which SQLite would apply.
 */
export const privateFolderBeside = (file: string): string => mkdtempSync(join(dirname(file), '.parley-'));

/** Renames a file. @throws Error if the new name is taken, instead of replacing that file */
export function renameExclusively(draft: string, name: string): void {
  linkSync(draft, name);
  rmSync(draft);
  syncPath(dirname(name));
}

async function copyPages(from: string, to: string, onProgress: (share: number) => void): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    // Without a read transaction, each commit by a writer would restart the copy.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_master');
    await backup(source, to, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
    });
  } finally {
    source.close();
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
 * Opens a database for exclusive use.
 * @throws Error if another process has it open, or it cannot be opened
 */
export function openExclusively(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // This fails if another process has the database open, because even an idle one locks the write-ahead log.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw isLocked(error)
      ? new Error(`${file} is in use. Stop the service and all other processes that use it.`, {
          cause: error,
        })
      : new Error(`${file} cannot be opened: ${describeOpenError(error)}`, { cause: error });
  }
}
