import { onTestFinished } from 'vitest';
import { insertCompany, listCompanies } from '../../../server/storage/queries/companies.ts';
import type { Store } from '../../../server/storage/store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { openAt } from '../../support/service.ts';

/** Opens a store on a new database, by default as the service does. It is closed after the test. */
export async function emptyStore(
  open: (database: TestDatabase) => Promise<Store> = ({ url }) => openAt(url),
) {
  const database = await createTestDatabase();
  const store = await open(database);
  onTestFinished(() => store.close());
  return { database, store };
}

/** Adds a company. @returns its ID */
export const add = (store: Store, name: string): Promise<number> =>
  store.write((db) => insertCompany(db, { name, created_at: 0 }));

/** Returns the names of all companies. */
export const names = async (store: Store): Promise<string[]> =>
  (await store.read(listCompanies)).map(({ name }) => name);
