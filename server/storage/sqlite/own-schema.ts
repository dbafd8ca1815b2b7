import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { allMigrations, recordedMigrations, runMigrations, tooOld } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import { preparedOnce } from './statements.ts';

/** The schema of a file is not the one that Parley creates. */
class ForeignSchema extends Error {}

/** An object of a schema, as SQLite stores it: its type, its name, the table to which it belongs, and its SQL. */
type SchemaObject = Record<string, SQLOutputValue>;

/**
 * Checks that a file has exactly the tables, indexes and triggers that its migrations create. A file from outside can
 * contain triggers and views that run with the next statements, and then undo them. Call this before anything else
 * reads the file. It reads rows of the schema, but nothing that they define.
 * @throws ForeignSchema naming the first object that differs
 */
export async function assertOwnSchema(database: DatabaseSync): Promise<void> {
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  const found = schemaOf(database);
  const table = found.filter(isOfMigrations);
  if (table.length === 0)
    throw new ForeignSchema(
      found[0] ? `it contains the data of another program (${quoted(found[0].name)}).` : 'it is empty.',
    );
  // The list of migrations is read only if it is the table, and not a view with its name.
  const newest = await ownSchema(allMigrations.at(-1));
  rejectDifferences(table, newest.filter(isOfMigrations));
  const applied = database
    .prepare('SELECT name FROM kysely_migration ORDER BY name')
    .all()
    .map(({ name }) => String(name));
  const unknown = applied.find((name) => !recordedMigrations.includes(name));
  if (unknown !== undefined)
    throw new ForeignSchema(
      `a newer version of Parley has migrated it (${quoted(unknown)}). Use that version.`,
    );
  if (applied.some((name, index) => name !== recordedMigrations[index]))
    throw new ForeignSchema('its list of migrations has a gap.');
  const reason = tooOld(applied);
  if (reason !== undefined) throw new ForeignSchema(reason);
  rejectDifferences(found, await ownSchema(applied.at(-1)));
}

const isOfMigrations = ({ tbl_name }: SchemaObject): boolean => tbl_name === 'kysely_migration';

/**
 * Reads the schema; indexes last, because they follow from their tables.
 *
 * `sqlite_master` is always the schema itself. Its newer name, `sqlite_schema`, can be that of a view.
 */
const schemaOf = (database: DatabaseSync): SchemaObject[] =>
  database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type DESC, name').all();

/** Returns the schema that the migrations up to a given one create. @param upTo undefined for no migrations */
async function ownSchema(upTo: string | undefined): Promise<SchemaObject[]> {
  if (upTo === undefined) return [];
  const memory = new DatabaseSync(':memory:');
  try {
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: preparedOnce(memory) }) });
    await runMigrations(db, { upTo });
    return schemaOf(memory);
  } finally {
    memory.close();
  }
}

/** Names come from the file, so they are cut. The output of commands escapes control characters. */
const quoted = (name: SQLOutputValue | undefined): string => JSON.stringify(String(name).slice(0, 100));

const nameOf = ({ type, name }: SchemaObject): string => `the ${String(type).slice(0, 20)} ${quoted(name)}`;

/** @throws ForeignSchema if an object is unknown, differs, or is missing */
function rejectDifferences(found: readonly SchemaObject[], own: readonly SchemaObject[]): void {
  const missing = new Map(own.map((object) => [JSON.stringify(object), object]));
  for (const object of found) {
    if (missing.delete(JSON.stringify(object))) continue;
    if (own.some(({ type, name }) => type === object.type && name === object.name))
      throw new ForeignSchema(`${nameOf(object)} is not defined as Parley defines it.`);
    throw new ForeignSchema(
      `it contains ${nameOf(object)}, which Parley does not create. Remove it, or use another file.`,
    );
  }
  for (const object of missing.values()) throw new ForeignSchema(`it lacks ${nameOf(object)}.`);
}
