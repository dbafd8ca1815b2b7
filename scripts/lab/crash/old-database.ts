import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { runMigrations } from '../../../server/storage/migrations/migrate.ts';
import type { Schema } from '../../../server/storage/schema.ts';
import { preparedOnce } from '../../../server/storage/sqlite/statements.ts';

/**
 * Creates an embedded database with the schema of an earlier version.
 * @param file path of the file, which does not exist
 * @param upTo the name of the last migration of that version
 * @returns a connection to the file, which the caller closes
 */
export async function createOldDatabase(file: string, upTo: string): Promise<DatabaseSync> {
  const raw = new DatabaseSync(file);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: preparedOnce(raw) }) });
  await runMigrations(db, 'sqlite', { upTo });
  return raw;
}
