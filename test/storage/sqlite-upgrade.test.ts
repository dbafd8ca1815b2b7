import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { makeMissingSearchTexts } from '../../server/contacts/refresh.ts';
import { searchedParts } from '../../server/contacts/search-text.ts';
import { searchContacts } from '../../server/storage/contact-search.ts';
import { listContacts } from '../../server/storage/contacts.ts';
import { engines } from '../../server/storage/engines.ts';
import { firstSchema } from '../../server/storage/migrations/0001-first-schema.ts';
import type { Schema } from '../../server/storage/schema.ts';
import { openSqlite } from '../../server/storage/sqlite.ts';
import { preparedOnce } from '../../server/storage/sqlite-statements.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A database as the first version of the service left it. */
async function firstDatabase(): Promise<string> {
  const file = join(await temporaryFolder(), 'parley.db');
  const raw = new DatabaseSync(file);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: preparedOnce(raw) }) });
  const up = (held: Kysely<Schema>) => firstSchema(held, engines.sqlite);
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => ({ '0001-first-schema': { up } }) },
  }).migrateToLatest();
  if (error) throw error;
  raw.exec("INSERT INTO companies (name, created_at) VALUES ('A', 1), ('B', 1)");
  const insert = raw.prepare(
    `INSERT INTO contacts (company_id, first_name, last_name, status, from_integration, from_whatsapp, from_email,
      is_anonymous, created_at, updated_at, deleted_at) VALUES (?, ?, 'Weiß', 'offline', 0, 0, 0, 0, 1, 1, ?)`,
  );
  for (let count = 0; count < 300; count += 1)
    insert.run((count % 2) + 1, `Ada${count}`, count % 50 === 0 ? 5 : null);
  raw.close();
  return file;
}

test('a database of the first version is brought up to date, and all that was in it is there and is found', async () => {
  const store = await openSqlite(await firstDatabase());
  const all = {
    includeAnonymous: true,
    from: undefined,
    to: undefined,
    order: 'asc',
    limit: 1_000,
    offset: 0,
  } as const;
  const [ours, theirs] = await store.read(async (db) => [
    await listContacts(db, { companyId: 1, ...all }),
    await listContacts(db, { companyId: 2, ...all }),
  ]);
  expect([ours?.length, theirs?.length]).toEqual([144, 150]);
  const find = (query: string) =>
    store.read((db) =>
      searchContacts(db, { companyId: 1, anyOf: searchedParts(query), limit: 1_000, offset: 0 }),
    );
  expect(await find('weiss')).toEqual([]);
  expect(await makeMissingSearchTexts(store)).toBe(294);
  expect(await find('weiss')).toHaveLength(144);
  expect((await find('ada298')).map(({ contact }) => contact.first_name)).toEqual(['Ada298']);
  await store.close();
});

test('a migration that fails leaves the database as it was', async () => {
  const file = await firstDatabase();
  const meddling = new DatabaseSync(file);
  // A name that the second step needs is taken, late in it.
  meddling.exec('CREATE TABLE import_keys (x)');
  const tables = () =>
    meddling.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const before = tables();
  await expect(openSqlite(file)).rejects.toThrow('import_keys');
  expect(tables()).toEqual(before);
  meddling.exec('DROP TABLE import_keys');
  meddling.close();
  const store = await openSqlite(file);
  await store.close();
});
