import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { copyWithMigrations, nextMigration } from '../../../support/copy-project.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const insertContact = `insert into contacts (company_id, status, from_integration, from_whatsapp, from_email,
  is_anonymous, created_at, updated_at) values (1, 'offline', 0, 0, 0, 1, 1, 1)`;
const insertCompany = "insert into companies (id, name, created_at) values (1, 'A', 1)";

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Migrates a database with a program that has one more migration. */
async function createMigrating(database: TestDatabase, step: string): Promise<() => Promise<unknown>> {
  const cwd = await copyWithMigrations(join(await temporaryFolder(), 'newer'), {
    [`${nextMigration(1)}-expand-it`]: step,
  });
  const env = { ...process.env, NODE_ENV: '', DATABASE_URL: database.url };
  return () => promisify(execFile)(process.execPath, ['server/operator/main.ts', 'migrate'], { cwd, env });
}

const tablesWith = (column: string) =>
  `select table_name from information_schema.columns where column_name = '${column}' order by 1`;

test('a migration that waits for a long transaction delays each insert by less than 5 s', async () => {
  const database = await createTestDatabase();
  const [long, other] = [await connect(database.url), await connect(database.url)];
  await other.query(`${insertCompany}; ${insertContact}`);
  await long.query('begin; update contacts set avatar = null');

  const migrate = await createMigrating(
    database,
    "await db.schema.alterTable('contacts').addColumn('visits', integer).execute();",
  );
  const migrated = migrate();
  const waiting = "select * from pg_locks where not granted and relation = 'contacts'::regclass";
  await expect.poll(() => database.look(waiting), { timeout: 20_000 }).not.toEqual([]);
  for (let count = 0; count < 3; count += 1) {
    const startedAt = performance.now();
    await other.query(insertContact);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
  await long.query('rollback');
  await migrated;
  expect(await database.look(tablesWith('visits'))).toEqual([{ table_name: 'contacts' }]);
});

test('a migration that deadlocks with a request is retried', async () => {
  const database = await createTestDatabase();
  const request = await connect(database.url);
  await request.query(insertCompany);
  await request.query('begin; update companies set name = name');
  const migrate = await createMigrating(
    database,
    `for (const table of ['deliveries', 'companies'])
      await db.schema.alterTable(table).addColumn('visits', integer).execute();`,
  );
  const migrated = migrate();
  // The migration has locked the deliveries, and waits for the companies.
  await expect
    .poll(
      () => database.look("select * from pg_locks where not granted and relation = 'companies'::regclass"),
      { timeout: 20_000 },
    )
    .not.toEqual([]);
  // PostgreSQL ends the transaction that has waited longer.
  await request.query('update deliveries set attempts = attempts; commit');
  await migrated;
  expect(await database.look(tablesWith('visits'))).toEqual([
    { table_name: 'companies' },
    { table_name: 'deliveries' },
  ]);
});
