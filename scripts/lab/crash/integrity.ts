import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { assertIntact } from '../../../server/storage/sqlite/backup.ts';

/** Looks at a copy of a database and its log as they lie there: whoever opened them themselves would change them. */
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

/** @returns what is damaged of a database; undefined where all is well */
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
