import { expect, test } from 'vitest';
import { deliveryStates, type StoredState } from '../../../server/storage/delivery-states.ts';
import { insertCompany, listCompanies } from '../../../server/storage/queries/companies.ts';
import { StoreUnavailable } from '../../../server/storage/store.ts';
import { createTestDatabase, onPostgres, type TestDatabase } from '../../support/databases.ts';
import { openAt, startService } from '../../support/service.ts';
import { add, emptyStore, names } from './empty-store.ts';

test('rethrows the error of a callback unchanged', async () => {
  const { store } = await emptyStore();
  const refused = new Error('The connection was terminated: SSL timeout.');
  await expect(store.write(() => Promise.reject(refused))).rejects.toBe(refused);
  await expect(store.read(() => Promise.reject(refused))).rejects.toBe(refused);
});

test('a reader sees only committed data', async () => {
  const { store } = await emptyStore();
  let seen: string[] | undefined;
  await store.write(async (db) => {
    await insertCompany(db, { name: 'not yet', created_at: 0 });
    seen = await names(store);
  });
  expect(seen).toEqual([]);
  expect(await names(store)).toEqual(['not yet']);
});

test('closing a store waits for writes in flight, and a closed store rejects reads and writes', async () => {
  const { database, store } = await emptyStore();
  const write = add(store, 'in work');
  await store.close();
  expect(await write).toBe(1);
  await expect(store.read(listCompanies)).rejects.toThrow(StoreUnavailable);
  await expect(add(store, 'x')).rejects.toThrow(StoreUnavailable);
  await store.close();
  const again = await openAt(database.url);
  expect(await names(again)).toEqual(['in work']);
  await again.close();
});

test('the ID of a deleted row is not reused', async () => {
  const { store } = await emptyStore();
  const first = await add(store, 'first');
  await store.write((db) => db.deleteFrom('companies').execute());
  expect(await add(store, 'second')).toBeGreaterThan(first);
});

test('a snapshot read sees one state of the database, regardless of concurrent writes', async () => {
  const { store } = await emptyStore();
  await add(store, 'first');
  const seen = await store.readSnapshot(async (db) => {
    const before = await db.selectFrom('companies').select('name').execute();
    await add(store, 'second');
    return [before, await db.selectFrom('companies').select('name').execute()];
  });
  expect(seen).toEqual([[{ name: 'first' }], [{ name: 'first' }]]);
  expect(await names(store)).toEqual(['first', 'second']);
  // A failed snapshot read does not block the next one.
  await expect(store.readSnapshot(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const last = store.readSnapshot((db) => db.selectFrom('companies').selectAll().execute());
  await store.close();
  expect(await last).toHaveLength(2);
});

test('in tests, the database refuses a change of the state of a delivery that is not listed', async () => {
  const { store, company } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1, url: 'https://hooks.example.com/' });
  await company.contact();
  const become = (state: StoredState) =>
    store.write((db) => db.updateTable('deliveries').set({ state }).execute());
  await become(deliveryStates.delivered);
  await expect(become(deliveryStates.paused)).rejects.toThrow('unknown change');
});

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
