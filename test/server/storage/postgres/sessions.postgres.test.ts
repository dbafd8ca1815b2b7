import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { assertUsableDatabase } from '../../../../server/storage/postgres/preflight.ts';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import type { Schema } from '../../../../server/storage/schema.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { createTestDatabase } from '../../../support/databases.ts';
import { startTcpServer } from '../../../support/start-tcp-server.ts';
import { add, emptyStore, names } from '../empty-store.ts';

const openStore = () => emptyStore(({ url }) => openPostgres(url, { poolSize: 2 }));

test('every connection of the pool has its timeouts, and no JIT compilation', async () => {
  const { store } = await openStore();
  const settings = () =>
    store.read(async (db) => {
      const { rows } = await sql<object>`
        select current_setting('jit') as jit, current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle, pg_sleep(0.1)::text as slept`.execute(
        db,
      );
      return rows[0];
    });
  const expected = { jit: 'off', statement: '12s', lock: '10s', idle: '10s', slept: '' };
  expect(await Promise.all([settings(), settings()])).toEqual([expected, expected]);
});

test('a database that its administrator has made read-only serves reads, and rejects writes until it is writable again', async () => {
  const { database, store } = await openStore();
  const addInGroup = () =>
    store.writeInGroup((db) => insertCompany(db, { name: 'shared', created_at: 0 }), 1, {
      name: 'companies',
      lock: async () => {},
    });
  await add(store, 'before');
  const name = new URL(database.url).pathname.slice(1);
  await database.executeSql(`alter database ${name} set default_transaction_read_only = on`);
  // The setting applies to new connections.
  await database.executeSql(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley' and datname = current_database()",
  );
  await expect.poll(() => names(store).catch(() => [])).toEqual(['before']);
  for (const write of [() => add(store, 'during'), addInGroup]) {
    const error = await write().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toBe('Error: The database is read-only.');
    expect(error).toHaveProperty('cause.message', 'cannot execute INSERT in a read-only transaction');
  }
  await database.executeSql(
    `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
  );
  await add(store, 'after');
  expect(await names(store)).toEqual(['before', 'after']);
});

test('connects with no startup parameter that PgBouncer rejects', async () => {
  const received: Buffer[] = [];
  const port = await startTcpServer((socket) => {
    socket.once('data', (data) => {
      received.push(data);
      socket.destroy();
    });
  });
  await expect(openPostgres(`postgres://parley@127.0.0.1:${port}/parley`)).rejects.toThrow();
  // The length and the version of the protocol precede names and values.
  const words = received[0]?.subarray(8).toString().split('\0') ?? [];
  const names = words.filter((word, at) => at % 2 === 0 && word !== '');
  expect(names.toSorted()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
});

test('rejects connections that share a session, as those of PgBouncer in transaction mode do', async () => {
  const { url } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const connection = { query: client.query.bind(client), release: () => {} };
  const pool = { options: {}, connect: async () => connection, end: async () => {} };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await expect(assertUsableDatabase(db)).rejects.toThrow('pool_mode=session');
});
