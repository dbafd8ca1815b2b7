import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { assertIntact } from '../../../server/storage/sqlite/integrity.ts';

/** Runs a function on a copy of a database and its WAL, because opening a database changes its files. */
export function inspectCopy<T>(file: string, look: (copy: string) => T): T {
  const copy = `${file}.copy`;
  const parts = ['', '-wal'];
  try {
    for (const part of parts)
      if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
    return look(copy);
  } finally {
    for (const part of [...parts, '-shm']) rmSync(`${copy}${part}`, { force: true });
  }
}

/** @returns a description of the corruption; undefined for an intact database */
export function findCorruption(file: string): string | undefined {
  try {
    return inspectCopy(file, (copy) => {
      const database = new DatabaseSync(copy);
      try {
        assertIntact(database, 'The database');
        return undefined;
      } finally {
        database.close();
      }
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
