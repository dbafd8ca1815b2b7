import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createPrng } from '../../../../scripts/lib/prng.ts';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import { assertIntact } from '../../../../server/storage/sqlite/corruption.ts';
import { StoreCorrupted } from '../../../../server/storage/store.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/databases.ts';
import { openAt, startService } from '../../../support/service.ts';

/** Creates an intact database that no process has open. */
async function soundDatabase() {
  const { store, company, database } = await startService();
  for (let count = 0; count < 40; count += 1) await company.contact();
  await store.close();
  return database;
}

/** Returns the offset of an index in the database file, in bytes. */
async function offsetOf({ look }: TestDatabase, index: string): Promise<number> {
  const [row] = await look(`SELECT rootpage FROM sqlite_schema WHERE name = '${index}'`);
  return (Number(Object(row).rootpage) - 1) * 4_096;
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

test('rejects a truncated file at startup and leaves it unchanged', async () => {
  const { file, url } = await soundDatabase();
  const whole = readFileSync(file);
  const chance = createPrng(7);
  for (let count = 0; count < 12; count += 1) {
    // Cuts within the last page, at the end of a page, and elsewhere.
    const length =
      [whole.length - 1, whole.length - 512, whole.length - 4_096, 4_096][count] ??
      1 + chance.below(whole.length - 1);
    writeFileSync(file, whole);
    truncateSync(file, length);
    await expect(openAt(url), `cut at ${length}`).rejects.toThrow('it is corrupted');
    expect(readFileSync(file).equals(whole.subarray(0, length))).toBe(true);
  }
  writeFileSync(file, whole);
  await (await openAt(url)).close();
});

test('opens a file whose creation a power loss has interrupted', async () => {
  const { file, url } = await createTestDatabase();
  const creating = new DatabaseSync(`${file}.new`);
  // With a small cache, SQLite writes pages before the commit. What is on the disk then includes its journal.
  creating.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE companies (name)');
  for (let count = 0; count < 100; count += 1)
    creating.exec('INSERT INTO companies VALUES (randomblob(1000))');
  for (const part of ['', '-journal']) copyFileSync(`${file}.new${part}`, file + part);
  creating.close();
  await (await openAt(url)).close();
});

test('the integrity check finds corruption before a request does, and the store then rejects writes', async () => {
  const database = await soundDatabase();
  flip(database.file, (await offsetOf(database, 'webhooks_by_event')) + 2);
  const service = await startService({ database });
  expect(service.store.health().state).toBe('ok');
  expect(await service.store.checkIntegrity()).toMatch(/^The database is corrupted[ (:]/);
  expect(service.store.health().state).toBe('damaged');
  expect(await service.api.createContact({ first_name: 'Ada' })).toBeApiError(503, 50303);
  expect((await service.api.listContacts()).status).toBe(200);
  await service.store.close();
});

test('reports corruption that a request encounters, and then rejects writes', async () => {
  const database = await soundDatabase();
  flip(database.file, await offsetOf(database, 'contacts_with_a_name'));
  const { api, base, store, errors, company } = await startService({ database });
  expect((await api.getContact(1)).status).toBe(404);
  expect(await api.listContacts()).toBeApiError(503, 50303);
  expect(errors.map(({ error }) => error)).toEqual([expect.any(StoreCorrupted)]);
  expect(await api.createMessage({ conversation_id: 1, type: 'text', payload: 'x' })).toBeApiError(
    503,
    50303,
  );
  expect((await api.getContact(1)).status).toBe(404);
  await expect(company.contact()).rejects.toThrow();
  const ready = await fetch(`${base}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', database: 'damaged' }]);
  expect(store.health().state).toBe('damaged');
});

test('commits no write of a group if one encounters corruption, and closing does not change the file', async () => {
  const database = await soundDatabase();
  flip(database.file, await offsetOf(database, 'contacts_with_a_name'));
  const store = await openAt(database.url);
  const named = (name: string) => store.write((db) => insertCompany(db, { name, created_at: 1 }));
  await named('Before');
  const list = () =>
    store.write((db) =>
      db
        .selectFrom('contacts')
        .select('id')
        .where('company_id', '=', 1)
        .where('is_anonymous', '=', 0)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute(),
    );
  const together = await Promise.allSettled([named('With it'), list(), named('Behind it')]);
  expect(together.map((each) => (each.status === 'rejected' ? String(each.reason) : 'kept'))).toEqual(
    Array(3).fill('Error: The database is corrupted.'),
  );
  const before = readFileSync(database.file);
  await store.close();
  expect(readFileSync(database.file).equals(before)).toBe(true);
  expect(await database.look('SELECT name FROM companies ORDER BY id')).toEqual([
    { name: 'A company' },
    { name: 'Before' },
  ]);
});

test('does not report a locked database as corrupted', async () => {
  const { file } = await soundDatabase();
  const [locking, checked] = [new DatabaseSync(file), new DatabaseSync(file, { readOnly: true })];
  locking.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  expect(() => assertIntact(checked, file)).toThrow('cannot be checked: another process keeps it locked');
  for (const database of [checked, locking]) database.close();
});

test('the integrity check reports an intact database as intact while the service runs', async () => {
  const { company, store } = await startService();
  await company.contact();
  expect(await store.checkIntegrity()).toBeUndefined();
});

test('reports a changed byte in the schema as corruption', async () => {
  const { file, url } = await soundDatabase();
  const bytes = readFileSync(file);
  const at = bytes.indexOf('references "contacts" ("company_id", "id")');
  expect(at).toBeGreaterThan(0);
  bytes.write('X', at + 'references "contacts" ("company_'.length);
  writeFileSync(file, bytes);
  const store = await openAt(url);
  expect(await store.checkIntegrity()).toMatch(/^The database is corrupted/);
  expect(store.health().state).toBe('damaged');
  await store.close();
});

test('closing a store does not wait for its integrity check', async () => {
  const { store } = await startService();
  const looking = store.checkIntegrity();
  await store.close();
  expect(await looking).toBeUndefined();
});
