import type { DatabaseSync } from 'node:sqlite';
import { isCutOff } from './corruption.ts';
import { describeOpenError, isFileError } from './errors.ts';

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
