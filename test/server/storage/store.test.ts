import { expect, test } from 'vitest';
import { insertCompany, listCompanies } from '../../../server/storage/queries/companies.ts';
import { StoreUnavailable, UniqueViolation } from '../../../server/storage/store.ts';
import { openAt, startService } from '../../support/service.ts';
import { add, emptyStore, names } from './empty-store.ts';

test('written data can be read after the database is reopened', async () => {
  const { database, store } = await emptyStore();
  await add(store, 'kept');
  await store.close();
  const again = await openAt(database.url);
  expect(await names(again)).toEqual(['kept']);
  await again.close();
});

test('a write that throws is rolled back, and concurrent writes are committed', async () => {
  const { store } = await emptyStore();
  const results = await Promise.allSettled([
    add(store, 'before'),
    store.write(async (db) => {
      await insertCompany(db, { name: 'lost', created_at: 0 });
      throw new Error('changed my mind');
    }),
    add(store, 'after'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await names(store)).sort()).toEqual(['after', 'before']);
});

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

test('the database itself rejects a second contact with the same unique value', async () => {
  const { store, company } = await startService();
  const field_id = (await company.field({ isUnique: true })).id;
  const claim = (contact_id: number) =>
    store.write((db) =>
      db
        .insertInto('field_values')
        .values({
          company_id: company.id,
          contact_id,
          field_id,
          value: 'x',
          unique_digest: new Uint8Array([1]),
        })
        .execute(),
    );
  await claim(await company.contact());
  await expect(claim(await company.contact())).rejects.toThrow(UniqueViolation);
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
