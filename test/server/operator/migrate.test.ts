import { expect, test } from 'vitest';
import { allMigrations } from '../../../server/storage/migrations/migrate.ts';
import { createCli } from '../../support/cli.ts';
import { createTestDatabase, onPostgres } from '../../support/databases.ts';

test('migrate --dry-run prints all migrations as SQL and leaves them pending', async () => {
  const parley = createCli((await createTestDatabase({ empty: true })).url);
  const { pending } = await parley.json('migrate --dry-run');
  expect(pending.map(({ name }: { name: string }) => name)).toEqual(allMigrations);
  expect(pending[0].statements.join()).toContain(onPostgres ? '"created_at" bigint' : '"created_at" integer');
  expect((await parley('migrate', '--dry-run')).out).toContain('create table "companies"');
  expect((await parley.json('migrate')).taken).toHaveLength(allMigrations.length);
  expect((await parley('migrate')).out).toContain('is up to date.');
  expect((await parley('migrate', '--dry-run')).out).toContain('is up to date.');
  // Only the migration has an audit record.
  expect(await parley.json('audit list')).toMatchObject([{ action: 'migrate' }]);
});

const shape = onPostgres
  ? `select table_name, column_name, data_type, is_nullable from information_schema.columns
       where table_schema = 'public' and table_name not like 'kysely%'
     union select tablename, indexname, indexdef, '' from pg_indexes
       where schemaname = 'public' and tablename not like 'kysely%' order by 1, 2, 3`
  : "select name, sql from sqlite_schema where name not like 'kysely%' and tbl_name not like 'kysely%' order by name";

test('the SQL of migrate --dry-run creates the same schema as migrate', async () => {
  const [one, other] = [await createTestDatabase(), await createTestDatabase({ empty: onPostgres })];
  const { out } = await createCli(other.url)('migrate', '--dry-run');
  await other.executeSql(out);
  await createCli(one.url)('migrate');
  expect(await other.look(shape)).toEqual(await one.look(shape));
});
