import { execFile } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { startService } from '../../../support/service.ts';
import { add, emptyStore, names } from '../empty-store.ts';

const waitingFor = (lockWaitMs: number) => emptyStore(({ file }) => openSqlite(file, { lockWaitMs }));

test('concurrent writes share a commit, and each write is visible once its promise resolves', async () => {
  const { database, store } = await emptyStore();
  const outside = new DatabaseSync(database.file, { readOnly: true });
  const version = () => outside.prepare('PRAGMA data_version').get()?.data_version;
  const before = Number(version());
  const inside = outside.prepare('select count(*) as n from companies where id = ?');
  await Promise.all(
    Array.from({ length: 100 }, async (_, number) => {
      const id = await add(store, `company ${number}`);
      expect(inside.get(id)?.n).toBe(1);
    }),
  );
  // data_version changes once per commit of another connection.
  expect(Number(version()) - before).toBeLessThan(10);
  outside.close();
});

test('uses WAL mode, syncs commits, enforces foreign keys, and rejects writes in read transactions', async () => {
  const { store } = await emptyStore();
  const pragma = (name: string) =>
    store.write(
      async (db) =>
        Object.values((await sql<object>`${sql.raw(`PRAGMA ${name}`)}`.execute(db)).rows[0] ?? {})[0],
    );
  expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
    'wal',
    2,
    1,
  ]);
  await expect(store.read((db) => insertCompany(db, { name: 'x', created_at: 0 }))).rejects.toThrow(
    StoreUnavailable,
  );
  const orphan = { company_id: 9, contact_id: 9, field_id: 9, value: 'x', unique_digest: null };
  await expect(store.write((db) => db.insertInto('field_values').values(orphan).execute())).rejects.toThrow(
    'FOREIGN KEY',
  );
});

test("a write waits for another process's lock without blocking readers, and times out", async () => {
  const { database, store } = await waitingFor(300);
  const outside = new DatabaseSync(database.file);
  outside.exec('BEGIN IMMEDIATE');
  const write = add(store, 'late');
  expect(await names(store)).toEqual([]);
  outside.exec('COMMIT');
  await write;
  outside.exec('BEGIN IMMEDIATE');
  await expect(add(store, 'never')).rejects.toThrow(StoreUnavailable);
  outside.exec('ROLLBACK');
  await add(store, 'again');
  expect(await names(store)).toEqual(['late', 'again']);
  outside.close();
});

test('many writes that wait for one lock time out together, and closing does not wait for the lock', async () => {
  const { database, store } = await waitingFor(400);
  const outside = new DatabaseSync(database.file);
  outside.exec('BEGIN IMMEDIATE');
  const outcome = (write: Promise<unknown>) =>
    write.then(
      () => 'done',
      () => performance.now(),
    );
  const asked = performance.now();
  const ends = await Promise.all(Array.from({ length: 12 }, () => outcome(add(store, 'x'))));
  // Each write has waited only for its own timeout, not for the timeouts of the other writes.
  for (const end of ends) expect(Number(end) - asked).toBeLessThan(12 * 400);
  const waiting = outcome(add(store, 'y'));
  await store.close();
  expect(await waiting).not.toBe('done');
  outside.exec('ROLLBACK');
  expect(outside.prepare('select count(*) as n from companies').get()).toEqual({ n: 0 });
  outside.close();
});

test('several processes write to one database without losing data', async () => {
  const { database, store } = await emptyStore();
  const program = `
    import { openSqlite } from '${process.cwd()}/server/storage/sqlite/sqlite-store.ts';
    import { insertCompany } from '${process.cwd()}/server/storage/queries/companies.ts';
    const store = await openSqlite(process.argv[1]);
    for (let count = 0; count < 100; count += 1) await store.write((db) => insertCompany(db, { name: 'x', created_at: 0 }));
    await store.close();`;
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, database.file]);
  await Promise.all([run(), run(), run()]);
  expect(await names(store)).toHaveLength(300);
});

test('prepares a statement once, for any number of runs', async () => {
  const { api } = await startService();
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepared.mockRestore());
  for (let count = 0; count < 5; count += 1) await api.listCustomFields();
  const texts = prepared.mock.calls.map(([text]) => text);
  expect(texts.filter((text) => text.includes('from "fields"'))).toHaveLength(1);
});
