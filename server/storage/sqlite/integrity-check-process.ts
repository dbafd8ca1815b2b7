import { constants, setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { assertIntact, corruptionExitCode, DatabaseCorrupted } from './corruption.ts';

/*
 * Checks the integrity of a database file. This runs in a separate process with low priority, because checking a large
 * database takes minutes. The exit code distinguishes corruption from other failures.
 */
setPriority(constants.priority.PRIORITY_LOW);
const [file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
try {
  assertIntact(database, 'The database');
} catch (error) {
  if (!(error instanceof DatabaseCorrupted)) throw error;
  process.stdout.write(error.message);
  process.exitCode = corruptionExitCode;
}
