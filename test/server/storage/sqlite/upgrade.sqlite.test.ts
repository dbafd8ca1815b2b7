import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { allMigrations } from '../../../../server/storage/migrations/migrate.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { freshFile } from '../../../support/databases.ts';

test('a failed migration leaves the database unchanged', async () => {
  const { file } = await freshFile();
  await (await openSqlite(file)).close();
  const otherProgram = new DatabaseSync(file);
  // The second migration creates a table that exists already, so it fails.
  const later = `kysely_migration WHERE name > '${allMigrations[0]}'`;
  otherProgram.exec(`CREATE TEMP TABLE removed AS SELECT * FROM ${later}; DELETE FROM ${later}`);
  const before = readFileSync(file);
  await expect(openSqlite(file)).rejects.toThrow('unsettled_webhooks');
  expect(readFileSync(file)).toEqual(before);
  otherProgram.exec('INSERT INTO kysely_migration SELECT * FROM removed');
  otherProgram.close();
  await (await openSqlite(file)).close();
});

test('refuses a database from before version 1.6.0, and names the version that migrates it', async () => {
  const { file, executeSql } = await freshFile();
  await (await openSqlite(file)).close();
  await executeSql("DELETE FROM kysely_migration WHERE name >= '0012'");
  await expect(openSqlite(file)).rejects.toThrow('Start version 1.6.0 once, which migrates it.');
});
