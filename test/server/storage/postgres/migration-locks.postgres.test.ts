import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runMigrations } from '../../../../server/storage/migrations/migrate.ts';
import { connectPostgres, defaultTimeouts } from '../../../../server/storage/postgres/pool.ts';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/databases.ts';

/** Inserts a contact as a version with the first four migrations does. */
const insertContact = `insert into contacts (company_id, status, from_integration, from_whatsapp, from_email,
  is_anonymous, created_at, updated_at) values (1, 'offline', 0, 0, 0, 1, 1, 1)`;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Creates a database with the schema of an older version. @param upTo its last migration */
async function createOlderDatabase(upTo: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  const { db } = connectPostgres(database.url, { ...defaultTimeouts, poolSize: 1 });
  await db
    .transaction()
    .setAccessMode('read write')
    .execute((held) => runMigrations(held, 'postgres', { upTo }));
  await db.destroy();
  return database;
}

test('a migration that waits for a long transaction delays each insert by less than 5 s', async () => {
  const database = await createOlderDatabase('0004-expand-rate-buckets');
  const [long, other] = [await connect(database.url), await connect(database.url)];
  await other.query(`insert into companies (id, name, created_at) values (1, 'A', 1); ${insertContact}`);
  await long.query('begin; update contacts set avatar = null');

  const newer = openPostgres(database.url);
  const durations: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const startedAt = performance.now();
    await other.query(insertContact);
    durations.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(Math.max(...durations)).toBeLessThan(5_000);
  await long.query('rollback');
  await (await newer).close();
  expect(
    await database.look("select indexname from pg_indexes where indexname like '%_by_span' order by 1"),
  ).toEqual([{ indexname: 'contacts_by_span' }, { indexname: 'conversations_by_span' }]);
});

test('a migration that deadlocks with a request is retried', async () => {
  const database = await createOlderDatabase('0008-expand-erasures');
  const request = await connect(database.url);
  await request.query("insert into companies (id, name, created_at) values (1, 'A', 1)");
  await request.query('begin; update companies set name = name');
  const newer = openPostgres(database.url);
  // The migration has locked the deliveries, and waits for the companies.
  await expect
    .poll(() =>
      database.look("select * from pg_locks where not granted and relation = 'companies'::regclass"),
    )
    .not.toEqual([]);
  // PostgreSQL ends the transaction that has waited longer.
  await request.query('update deliveries set attempts = attempts; commit');
  await (await newer).close();
  expect(
    await database.look(
      "select table_name from information_schema.columns where column_name = 'rate_per_minute' order by 1",
    ),
  ).toEqual([{ table_name: 'companies' }, { table_name: 'tokens' }]);
});
