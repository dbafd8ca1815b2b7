import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { assertIntact } from '../../../server/storage/sqlite/corruption.ts';

/**
 * Checks a copy of a database and its WAL, because opening a database changes its files.
 * @returns a description of the corruption; undefined for an intact database
 */
export function findCorruption(file: string): string | undefined {
  const copy = `${file}.copy`;
  const parts = ['', '-wal'];
  try {
    for (const part of parts)
      if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
    const database = new DatabaseSync(copy);
    try {
      assertIntact(database, 'The database');
      return undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const part of [...parts, '-shm']) rmSync(`${copy}${part}`, { force: true });
  }
}
