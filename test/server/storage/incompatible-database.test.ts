import { expect, test } from 'vitest';
import { createTestDatabase, onPostgres, type TestDatabase } from '../../support/databases.ts';
import { openAt } from '../../support/service.ts';

/** Returns the schema of a database, for comparisons. */
const schemaOf = (database: TestDatabase) =>
  database.look(
    onPostgres
      ? "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2"
      : 'select * from sqlite_schema order by name',
  );

test("rejects another application's database, names its tables, and leaves its schema unchanged", async () => {
  const database = await createTestDatabase({ empty: onPostgres });
  await database.executeSql('create table bookmarks (url text)');
  await expect(openAt(database.url)).rejects.toThrow(
    'the data of another program ("bookmarks"). Parley needs a database of its own.',
  );
  expect(await schemaOf(database)).toHaveLength(1);
  // Another application may use Kysely, too. Its database must not be mistaken for that of an older Parley version.
  await database.executeSql(
    "create table kysely_migration (name text, timestamp text); insert into kysely_migration values ('2020-a', '2020-01-01')",
  );
  await expect(openAt(database.url)).rejects.toThrow('the data of another program');
});
