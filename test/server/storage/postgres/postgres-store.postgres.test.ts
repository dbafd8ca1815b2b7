import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../../../server/runtime/config/database-url.ts';
import { recordedMigrations } from '../../../../server/storage/migrations/migrate.ts';
import type { PostgresOptions } from '../../../../server/storage/postgres/pool.ts';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { hasHadCompanies, insertCompany } from '../../../../server/storage/queries/companies.ts';
import { tableNames } from '../../../../server/storage/schema.ts';
import { LockTimeout, type Store, StoreUnavailable } from '../../../../server/storage/store.ts';
import { createCli } from '../../../support/cli.ts';
import { createTestDatabase } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { add, emptyStore, names } from '../empty-store.ts';

const opened = (options?: PostgresOptions) => emptyStore(({ url }) => openPostgres(url, options));

const sleeping = (seconds: number) => (store: Store) =>
  store.read((db) => sql`select pg_sleep(${sql.lit(seconds)})`.execute(db));

test('snapshots cannot write', async () => {
  const { store } = await opened();
  const writing = store.readSnapshot((db) => insertCompany(db, { name: 'x', created_at: 0 }));
  await expect(writing).rejects.toThrow(StoreUnavailable);
});

test('prepares a statement once per connection, unless it has more than 64 parameters', async () => {
  const { store } = await opened({ poolSize: 1 });
  for (let count = 0; count < 5; count += 1)
    await store.read((db) => db.selectFrom('companies').select('name').where('id', '=', count).execute());
  for (let length = 65; length < 75; length += 1)
    await store.read((db) =>
      db
        .selectFrom('companies')
        .select('name')
        .where(
          'id',
          'in',
          Array.from({ length }, (_, id) => id),
        )
        .execute(),
    );
  const { rows } = await store.read((db) =>
    sql<{ statement: string; uses: number }>`
      select statement, generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%companies%'`.execute(
      db,
    ),
  );
  expect(rows).toEqual([{ statement: 'select "name" from "companies" where "id" = $1', uses: 5 }]);
});

test('keeps at most 300 prepared statements per connection, and still runs further statements', async () => {
  const { store } = await opened({ poolSize: 1 });
  for (let count = 0; count < 320; count += 1)
    await store.read((db) => sql`select ${count}::int as ${sql.ref(`column ${count}`)}`.execute(db));
  const { rows } = await store.read((db) =>
    sql<{ count: number }>`select count(*) as count from pg_prepared_statements`.execute(db),
  );
  expect(rows[0]?.count).toBeLessThanOrEqual(300);
});

test('rejects an undefined parameter instead of storing null', async () => {
  const { store } = await opened();
  await expect(store.read((db) => sql`select ${undefined}`.execute(db))).rejects.toThrow(
    'PostgreSQL cannot store undefined.',
  );
});

test('statements, locks, waits for a connection and idle transactions have timeouts', async () => {
  const { store, database } = await opened({
    poolSize: 1,
    statementMs: 300,
    lockWaitMs: 200,
    connectMs: 1_000,
  });
  await add(store, 'a');
  await expect(sleeping(5)(store)).rejects.toThrow(StoreUnavailable);

  const unlock = await database.lock();
  await expect(add(store, 'b')).rejects.toThrow(LockTimeout);
  await unlock();

  const [busy, waiting] = await Promise.allSettled([sleeping(1.5)(store), names(store)]);
  expect([busy.status, waiting.status]).toEqual(['fulfilled', 'rejected']);
  expect(waiting).toMatchObject({ reason: expect.any(StoreUnavailable) });

  const idle = store.write(async (db) => {
    await insertCompany(db, { name: 'c', created_at: 0 });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await insertCompany(db, { name: 'd', created_at: 0 });
  });
  await expect(idle).rejects.toThrow(StoreUnavailable);
  // The closed connection is replaced, and the writes of its transaction are rolled back.
  expect(await names(store)).toEqual(['a']);
});

test('retries one of two writes that deadlock', async () => {
  const { store } = await opened();
  const [one, two] = [await add(store, 'one'), await add(store, 'two')];
  let tries = 0;
  let arrived = 0;
  const met = Promise.withResolvers<void>();
  const both = (first: number, second: number) =>
    store.write(async (db) => {
      tries += 1;
      const add = (id: number) =>
        db
          .updateTable('companies')
          .set(({ eb }) => ({ created_at: eb('created_at', '+', 1) }))
          .where('id', '=', id)
          .execute();
      await add(first);
      // Waits until each write has locked the row that the other one needs next.
      arrived += 1;
      if (arrived === 2) met.resolve();
      await met.promise;
      await add(second);
    });
  await Promise.all([both(one, two), both(two, one)]);
  // The retry deadlocks again if it starts before the other write has committed.
  expect(tries).toBeGreaterThanOrEqual(3);
  const timestamps = await store.read((db) => db.selectFrom('companies').select('created_at').execute());
  expect(timestamps).toEqual([{ created_at: 2 }, { created_at: 2 }]);
});

test('returns 40902 while a transaction with the idempotency key is open, and 201 after its rollback', async () => {
  const { api, company, database } = await startService({ lockWaitMs: 300 });
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('begin');
  await other.query("insert into idempotency_keys values ($1, 'k', '', 0, '', '', 0)", [company.id]);
  const asked = api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'k' });
  expect(await asked).toBeApiError(409, 40902, 'header/Idempotency-Key');
  await other.query('rollback');
  await other.end();
  expect((await api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'k' })).status).toBe(201);
});

test('four processes that open an empty database at once all succeed, and each migration runs once', async () => {
  const database = await createTestDatabase({ empty: true });
  const program = `
    import { openPostgres } from '${process.cwd()}/server/storage/postgres/postgres-store.ts';
    import { insertCompany } from '${process.cwd()}/server/storage/queries/companies.ts';
    const store = await openPostgres(process.argv[1]);
    await store.write((db) => insertCompany(db, { name: 'x', created_at: 0 }));
    await store.close();`;
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, database.url]);
  await Promise.all(Array.from({ length: 4 }, run));
  expect(await database.look('select count(*)::int as count from companies')).toEqual([{ count: 4 }]);
  expect(await database.look('select name from kysely_migration order by name')).toEqual(
    recordedMigrations.map((name) => ({ name })),
  );
});

test.each([
  ['postgres://127.0.0.1:1/x', /nothing listens there/],
  ['postgres://no.such.host.invalid/x', /the host does not exist|cannot be resolved/],
  ['DATABASE/nothing_here', /the database does not exist/],
  ['DATABASE/postgres?sslmode=verify-full', /does not support TLS/],
  [
    'DATABASE/postgres?sslmode=verify-full&sslrootcert=/nowhere.pem',
    /file \/nowhere\.pem in the URL cannot be read/,
  ],
])('reports why %s cannot be opened', async (address, why) => {
  const server = (await createTestDatabase({ empty: true })).url.replace(/\/[^/]*$/, '');
  await expect(openPostgres(address.replace('DATABASE', server))).rejects.toThrow(why);
});

test('a user with the documented privileges runs the service, and only the owner raises IDs', async () => {
  const guide = await readFile('openapi/guides/databases.md', 'utf8');
  const [, statements = ''] = /```text\n(create role parley_service[^`]*)```/.exec(guide) ?? [];
  const user = `parley_service_${randomBytes(4).toString('hex')}`;
  const database = await createTestDatabase();
  await database.executeSql(statements.replaceAll('parley_service', user));
  const url = Object.assign(new URL(database.url), { username: user, password: 'secret' }).href;
  const store = await openPostgres(url);
  try {
    const { company } = await startService({ database, storeFor: () => store });
    const webhook = await company.webhook({ entity_id: 2, action_id: 1 });
    expect([webhook, await company.contact()]).toEqual([1, 1]);
    expect(await store.read(hasHadCompanies)).toBe(true);
    const { username } = new URL(database.url);
    expect(await createCli(url)('restore --advance-by 1000000')).toFail(
      1,
      `✘ Only the owner of the table ${tableNames[0]} can raise its IDs. Set DATABASE_URL to that of the user ${username}.\n`,
    );
    await createCli(database.url).json('restore --advance-by 1000000');
  } finally {
    await store.close();
    await database.executeSql(`drop owned by ${user}; drop role ${user}`);
  }
});

test('rejects a database whose encoding is not UTF8, with the command that creates a suitable database', async () => {
  const database = await createTestDatabase({ empty: true });
  const server = new URL(database.url);
  const admin = new Client({ connectionString: server.href });
  await admin.connect();
  const name = `latin_${Date.now()}`;
  await admin.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  server.pathname = name;
  await expect(openPostgres(server.href)).rejects.toThrow(
    "encoding is LATIN1. Create one with: create database parley encoding 'UTF8'",
  );
  await admin.query(`drop database ${name}`);
  await admin.end();
});

test('treats the sslmode values require and verify-ca as verify-full, and rejects unsupported values', () => {
  const mode = (text: string) => {
    const address = parseDatabaseUrl(`postgres://u@h/d?sslmode=${text}`);
    return address?.engine === 'postgres' ? new URL(address.url).searchParams.get('sslmode') : undefined;
  };
  expect(['require', 'verify-ca', 'verify-full'].map(mode)).toEqual(Array(3).fill('verify-full'));
  expect(['no-verify', 'disable'].map(mode)).toEqual(['no-verify', 'disable']);
  expect(['prefer', 'allow', '', 'constructor'].map(mode)).toEqual(Array(4).fill(undefined));
});
