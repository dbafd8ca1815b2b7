import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createOldDatabase } from '../../../../scripts/lab/crash/old-database.ts';
import { backfillSearchTexts } from '../../../../server/features/contacts/background-jobs.ts';
import { parseSearchQuery } from '../../../../server/features/contacts/search-text.ts';
import { searchContactRows } from '../../../../server/storage/queries/contact-search.ts';
import { listContactRows } from '../../../../server/storage/queries/contacts.ts';
import { findDelivery, listDeliveries } from '../../../../server/storage/queries/deliveries.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Creates a database as the first version of the service left it. */
async function firstDatabase(): Promise<string> {
  const file = join(await temporaryFolder(), 'parley.db');
  const raw = await createOldDatabase(file, '0001-first-schema');
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

test('migrates a database of the first version, and finds all its data', async () => {
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
    await listContactRows(db, { companyId: 1, ...all }),
    await listContactRows(db, { companyId: 2, ...all }),
  ]);
  expect([ours?.length, theirs?.length]).toEqual([144, 150]);
  const find = (query: string) =>
    store.read((db) =>
      searchContactRows(db, { companyId: 1, anyOf: parseSearchQuery(query), limit: 1_000, offset: 0 }),
    );
  expect(await find('weiss')).toEqual([]);
  expect(await backfillSearchTexts(store)).toBe(294);
  expect(await find('weiss')).toHaveLength(144);
  expect((await find('ada298')).map(({ contact }) => contact.first_name)).toEqual(['Ada298']);
  await store.close();
});

test('a failed migration leaves the database unchanged', async () => {
  const file = await firstDatabase();
  const otherProgram = new DatabaseSync(file);
  // A table that the second migration creates near its end exists already, so the migration fails.
  otherProgram.exec('CREATE TABLE import_keys (x)');
  const tables = () =>
    otherProgram.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const before = tables();
  await expect(openSqlite(file)).rejects.toThrow('import_keys');
  expect(tables()).toEqual(before);
  otherProgram.exec('DROP TABLE import_keys');
  otherProgram.close();
  const store = await openSqlite(file);
  await store.close();
});

test('deliveries that a version without a worker left waiting are due after the migration', async () => {
  const file = join(await temporaryFolder(), 'parley.db');
  const raw = await createOldDatabase(file, '0002-whole-service');
  raw.exec(`INSERT INTO companies (id, name, created_at) VALUES (1, 'A', 1);
    INSERT INTO webhooks (id, company_id, verb_id, entity_id, action_id, url, secret, last_sequence, created_at, updated_at)
      VALUES (7, 1, 3, 2, 1, 'https://hooks.example.com/a', x'00', 2, 1, 1);
    INSERT INTO deliveries (company_id, webhook_id, sequence, type, data_id, payload, state, created_at)
      VALUES (1, 7, 1, 'contact.created', 1, '{}', 'waiting', 5), (1, 7, 2, 'contact.created', 2, '{"n":2}', 'ended', 6)`);
  raw.close();
  const store = await openSqlite(file);
  const rows = await store.read((db) => listDeliveries(db, { companyId: 1, webhookId: 7 }));
  expect(rows).toMatchObject([
    { sequence: 1, state: 'waiting', due_at: 5, attempts: 0, log: '[]', leased_by: null },
    { sequence: 2, state: 'ended', due_at: null },
  ]);
  expect(await store.read((db) => findDelivery(db, 1, 7, 2))).toMatchObject({ payload: '{"n":2}' });
  await store.close();
});
