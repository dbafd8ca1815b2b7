import { createHash } from 'node:crypto';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  allMigrations,
  recordedMigrations,
  runMigrations,
} from '../../../server/storage/migrations/migrate.ts';
import type { Schema } from '../../../server/storage/schema.ts';
import { preparedOnce } from '../../../server/storage/sqlite/statements.ts';
import { createCli } from '../../support/cli.ts';
import { fileAt } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';
import { afterAllTests, temporaryFolder } from '../../support/temporary-folder.ts';

/** A folder with a backup that has a token: `copy.db`. */
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder(afterAllTests);
  const { parley, store } = await startService({ onCleanup: afterAllTests });
  await parley.json('backup', '--to', join(folder, 'copy.db'));
  await store.close();
});

/** Runs statements on a file as an attacker can, who may also write the schema directly. */
function change(file: string, sql: string): void {
  const database = new DatabaseSync(file, { defensive: false, enableForeignKeyConstraints: false });
  database.exec(sql);
  database.close();
}

let count = 0;

/** Returns a copy of the backup, changed by statements. */
function hostileBackup(sql: string): string {
  count += 1;
  const file = join(folder, `hostile-${count}.db`);
  copyFileSync(join(folder, 'copy.db'), file);
  change(file, sql);
  return file;
}

/** Restores a backup to a new place. */
async function restored(from: string, ...options: string[]) {
  const file = join(folder, `restored-${count}`, 'parley.db');
  const result = await createCli(fileAt(file).url)('restore', '--from', from, ...options);
  return { ...result, file };
}

const schema = (statement: string) =>
  `pragma writable_schema = on; ${statement}; pragma writable_schema = reset`;
const endless = 'with recursive n (x) as (select 1 union all select x + 1 from n)';

/** One change for each way to differ: restore compares all objects, of any type, with what the migrations create. */
const objects: Record<string, [sql: string, named: string]> = {
  'a trigger that ignores revocations': [
    'create trigger keep before update on tokens begin select raise(ignore); end',
    'the trigger "keep"',
  ],
  'a removed trigger': ['drop trigger audit_records_delete', 'lacks the trigger "audit_records_delete"'],
  'an endless view in place of the list of migrations': [
    `drop table kysely_migration; create view kysely_migration as ${endless} select x as name from n`,
    'the view "kysely_migration"',
  ],
  'a changed CHECK constraint': [
    schema(
      "update sqlite_master set sql = replace(sql, 'not null', 'not null check (1)') where name = 'tokens'",
    ),
    'the table "tokens"',
  ],
  'the name of the schema itself': [
    schema(`insert into sqlite_master values ('view', 'sqlite_schema', 'sqlite_schema', 0,
      'create view sqlite_schema as ${endless} select ''table'' as type, ''a'' as name, ''a'' as tbl_name, ''b'' as sql from n')`),
    '',
  ],
  'two tables with one content': [
    schema(`update sqlite_master set rootpage = (select rootpage from sqlite_master where name = 'erasures')
      where name = 'tokens'`),
    '',
  ],
  'a gap in the list of migrations': [
    `delete from kysely_migration where name = '${recordedMigrations[4]}'`,
    'its list of migrations has a gap',
  ],
  'more than its list of migrations creates': [
    `delete from kysely_migration where name > '${allMigrations[0]}'`,
    'the table "',
  ],
  'an unknown migration': [
    "insert into kysely_migration values ('9999-expand-later', '2030-01-01T00:00:00.000Z')",
    'a newer version of Parley',
  ],
  'the schema of a version before 1.6.0': [
    `delete from kysely_migration where name >= '${allMigrations[0]}'`,
    'Start version 1.6.0 once, which migrates it',
  ],
  'no migrations': ['delete from kysely_migration', 'which Parley does not create'],
};

test.each(Object.entries(objects))('restore rejects a backup with %s', async (_name, [sql, named]) => {
  const from = hostileBackup(sql);
  const { code, err, file } = await restored(from, '--revoke-tokens');
  expect([code, err]).toEqual([1, expect.stringMatching(/is not a usable backup|is corrupted/)]);
  expect(err).toContain(from);
  expect(err).toContain(named);
  expect(existsSync(file)).toBe(false);
});

test('restore rejects an object that only the write-ahead log of a backup contains', async () => {
  const from = hostileBackup('pragma journal_mode = wal');
  const writer = new DatabaseSync(from);
  onTestFinished(() => writer.close());
  writer.exec('create trigger keep before update on tokens begin select raise(ignore); end');
  expect(await restored(from, '--revoke-tokens')).toFail(1, 'the trigger "keep"');
});

test('the output of restore escapes and cuts the name of an unknown object', async () => {
  const from = hostileBackup(`create table "${'\u001b[31m'}${'x'.repeat(1_000)}" (id)`);
  const { err } = await restored(from);
  expect(err).toContain('xxx');
  expect(err).not.toContain('\u001b[31mx');
  expect(err).not.toContain('x'.repeat(101));
});

test('backup and move reject a database with an object that restore would reject', async () => {
  const { database, store, parley } = await startService();
  await database.executeSql('create index extra on tokens (created_at)');
  const to = join(folder, 'unrestorable.db');
  const named = 'the index "extra", which Parley does not create';
  expect(await parley('backup', '--to', to)).toFail(1, named);
  expect(existsSync(to)).toBe(false);
  await store.close();
  expect(await parley('move --to postgres://nobody@127.0.0.1:1/parley')).toFail(1, named);
});

test('a backup cannot keep restore from erasing contacts by leases that do not end', async () => {
  const { company, store, parley } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  const id = await company.contact();
  const from = join(folder, 'leased.db');
  await parley.json('backup', '--to', from);
  change(from, `update deliveries set leased_by = 'w', leased_until = ${Number.MAX_SAFE_INTEGER}`);
  await company.run(`contact erase --contact ${id}`);
  await store.close();
  expect(await parley.json('restore --replace', '--from', from)).toMatchObject({ erased_again: 1 });
});

/** Creates a database as a version with these migrations did. */
async function olderDatabase(file: string, upTo: string): Promise<DatabaseSync> {
  const raw = new DatabaseSync(file);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: preparedOnce(raw) }) });
  await runMigrations(db, { upTo });
  return raw;
}

test.each(allMigrations)('restores a backup of a version whose last migration was %s', async (upTo) => {
  count += 1;
  const from = join(folder, `older-${count}.db`);
  (await olderDatabase(from, upTo)).close();
  expect(await restored(from, '--revoke-tokens')).toMatchObject({ code: 0 });
});

// If a new SQLite or Kysely writes definitions differently, `restore` must accept both: older backups contain this one.
test('creates the definitions that backups of migration 0012 contain', async () => {
  const database = await olderDatabase(':memory:', '0012-expand-usage-counts');
  const rows = database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name')
    .all();
  database.close();
  expect(createHash('sha256').update(JSON.stringify(rows)).digest('hex')).toBe(
    'e4e20dd53e865dd1c8cb554e4ea2c0bc6abbaaae8e718923cdf14faf0936f6d9',
  );
});
