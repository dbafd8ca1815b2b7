import { expect, test } from 'vitest';
import { engineOf } from '../../../../server/storage/engine.ts';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import type { Database, Store } from '../../../../server/storage/store.ts';
import { createTestDatabase } from '../../../support/databases.ts';
import { openAt } from '../../../support/service.ts';
import { emptyStore } from '../empty-store.ts';

const addCompany = (db: Database) => insertCompany(db, { name: 'A company', created_at: 1 });
const lastId = (store: Store) => store.read((db) => engineOf(db).lastAssignedId(db, 'companies'));
const raise = (store: Store, last: number) =>
  store.write((db) => engineOf(db).raiseIdSequence(db, 'companies', last));

test('raising the IDs of a table assigns none, and never lowers them', async () => {
  const { store } = await emptyStore();
  expect(await lastId(store)).toBe(0);
  await raise(store, 0);
  expect(await store.write(addCompany)).toBe(1);
  for (const last of [6, 6, 5, 0]) await raise(store, last);
  expect(await store.write(addCompany)).toBe(7);
  for (const last of [7, 6]) await raise(store, last);
  expect(await lastId(store)).toBe(7);
  expect(await store.write(addCompany)).toBe(8);
});

test('a rollback restores the IDs that the transaction raised and assigned', async () => {
  const { store } = await emptyStore();
  const failed = store.write(async (db) => {
    await engineOf(db).raiseIdSequence(db, 'companies', 6);
    expect(await addCompany(db)).toBe(7);
    await engineOf(db).raiseIdSequence(db, 'companies', 20);
    throw new Error('injected');
  });
  await expect(failed).rejects.toThrow('injected');
  expect(await store.write(addCompany)).toBe(1);
});

test('assigns no ID twice while another process raises them', async () => {
  const { url } = await createTestDatabase();
  const [one, other] = await Promise.all([openAt(url), openAt(url)]);
  const ids: number[] = [];
  const add = async () => {
    for (let count = 0; count < 100; count += 1) ids.push(await one.write(addCompany));
  };
  const raise = async () => {
    for (let count = 0; count < 100; count += 1)
      await other.write(async (db) =>
        engineOf(db).raiseIdSequence(
          db,
          'companies',
          (await engineOf(db).lastAssignedId(db, 'companies')) + 1,
        ),
      );
  };
  await Promise.all([add(), add(), add(), raise()]);
  expect(new Set(ids).size).toBe(300);
});
