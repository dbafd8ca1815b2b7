import { constants, setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { assertIntact, DatabaseCorrupted } from './backup.ts';
import { corruptionExitCode } from './corruption.ts';

/*
 * A process of its own: looking through a large database takes minutes, in which nobody would be answered. It says
 * how the file is damaged, where it is; whatever else goes wrong tells nothing of the file. On a machine of few cores
 * it gives way to those who answer.
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
