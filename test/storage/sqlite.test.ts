import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { insertCompany, listCompanies } from '../../server/storage/companies.ts';
import { openSqlite } from '../../server/storage/sqlite.ts';
import { type Store, StoreUnavailable, UniqueViolation } from '../../server/storage/store.ts';
import { type Api, makeCompany, startService } from '../service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function emptyStore(options?: { lockWaitMs: number }) {
  const file = join(await temporaryFolder(), 'a.db');
  return { file, store: await openSqlite(file, options) };
}

const add = (store: Store, name: string) => store.write((db) => insertCompany(db, { name, created_at: 0 }));
const names = async (store: Store) => (await store.read(listCompanies)).map(({ name }) => name);

test('what was written is read, also after the database was closed and opened again', async () => {
  const { file, store } = await emptyStore();
  await add(store, 'kept');
  await store.close();
  const again = await openSqlite(file);
  expect(await names(again)).toEqual(['kept']);
  await again.close();
});

test('work that throws leaves nothing behind, and what was written beside it stays', async () => {
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
  expect(await names(store)).toEqual(['before', 'after']);
  await store.close();
});

test('writes that come together share a commit, and each is there when its caller is told', async () => {
  const { file, store } = await emptyStore();
  const outside = new DatabaseSync(file, { readOnly: true });
  const version = () => outside.prepare('PRAGMA data_version').get()?.data_version;
  const before = Number(version());
  const inside = outside.prepare('select count(*) as n from companies where id = ?');
  await Promise.all(
    Array.from({ length: 100 }, async (_, number) => {
      const id = await add(store, `company ${number}`);
      expect(inside.get(id)?.n).toBe(1);
    }),
  );
  // The version moves once for each commit of another connection that this one gets to see.
  expect(Number(version()) - before).toBeLessThan(10);
  outside.close();
  await store.close();
});

test('a write that is asked for in the moment in which another is answered is not forgotten', async () => {
  const { store } = await emptyStore();
  for (let count = 0; count < 50; count += 1) await add(store, `${count}`);
  expect(await names(store)).toHaveLength(50);
  await store.close();
});

test('a reader sees nothing that is not committed', async () => {
  const { store } = await emptyStore();
  let seen: string[] | undefined;
  await store.write(async (db) => {
    await insertCompany(db, { name: 'not yet', created_at: 0 });
    seen = await names(store);
  });
  expect(seen).toEqual([]);
  expect(await names(store)).toEqual(['not yet']);
  await store.close();
});

test('the database itself keeps commits on the disk, references whole, and readers from writing', async () => {
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
  await store.close();
});

test('a value cannot point into another company, whatever a query says', async () => {
  const { store, company, base } = await startService();
  const other = await makeCompany(store, base);
  const contact_id = await company.contact();
  const field_id = (await other.field()).id;
  const crossing = { company_id: company.id, contact_id, field_id, value: 'x', unique_digest: null };
  await expect(store.write((db) => db.insertInto('field_values').values(crossing).execute())).rejects.toThrow(
    'FOREIGN KEY',
  );
});

test('the database refuses a unique value that is taken, without being asked first', async () => {
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

test('a write waits for the lock of another program, without holding up readers, and gives up in time', async () => {
  const { file, store } = await emptyStore({ lockWaitMs: 300 });
  const outside = new DatabaseSync(file);
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
  await store.close();
});

test('many writes that wait for one lock give up together, and closing does not wait for it', async () => {
  const { file, store } = await emptyStore({ lockWaitMs: 400 });
  const outside = new DatabaseSync(file);
  outside.exec('BEGIN IMMEDIATE');
  const outcome = (write: Promise<unknown>) =>
    write.then(
      () => 'done',
      () => performance.now(),
    );
  const asked = performance.now();
  const ends = await Promise.all(Array.from({ length: 12 }, () => outcome(add(store, 'x'))));
  // Each has waited its own time, and none for the time of those before it.
  for (const end of ends) expect(Number(end) - asked).toBeLessThan(12 * 400);
  const waiting = outcome(add(store, 'y'));
  await store.close();
  expect(await waiting).not.toBe('done');
  outside.exec('ROLLBACK');
  expect(outside.prepare('select count(*) as n from companies').get()).toEqual({ n: 0 });
  outside.close();
});

test('several processes write to one database and lose nothing', async () => {
  const { file, store } = await emptyStore();
  const program = `
    import { openSqlite } from '${process.cwd()}/server/storage/sqlite.ts';
    import { insertCompany } from '${process.cwd()}/server/storage/companies.ts';
    const store = await openSqlite(process.argv[1]);
    for (let count = 0; count < 100; count += 1) await store.write((db) => insertCompany(db, { name: 'x', created_at: 0 }));
    await store.close();`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file]);
  await Promise.all([run(), run(), run()]);
  expect(await names(store)).toHaveLength(300);
  await store.close();
});

test('a store that is closed says so', async () => {
  const { store } = await emptyStore();
  await store.close();
  await expect(store.read(listCompanies)).rejects.toThrow(StoreUnavailable);
  await expect(add(store, 'x')).rejects.toThrow(StoreUnavailable);
  await store.close();
});

test('closing waits for what is in work', async () => {
  const { file, store } = await emptyStore();
  const write = add(store, 'in work');
  await store.close();
  await write;
  const again = await openSqlite(file);
  expect(await names(again)).toEqual(['in work']);
  await again.close();
});

test('a file that is no database is refused, and left as it is', async () => {
  const file = join(await temporaryFolder(), 'notes.txt');
  await writeFile(file, 'These are my notes, and they are no database. '.repeat(200));
  await expect(openSqlite(file)).rejects.toThrow('it is no database of SQLite.');
});

/** The statements that the service runs for a request, as SQLite is given them. */
async function statementsOf(ask: (api: Api) => Promise<unknown>) {
  const { api } = await startService();
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepared.mockRestore());
  await ask(api);
  return { statements: prepared.mock.calls.map(([text]) => text) };
}

test('a statement is prepared once, however often it is run', async () => {
  const { statements } = await statementsOf(async (api) => {
    for (let count = 0; count < 5; count += 1) await api.listCustomFields();
  });
  expect(statements.filter((text) => text.includes('from "fields"'))).toHaveLength(1);
});

test('the number of a row that was removed is not used again', async () => {
  const { store } = await emptyStore();
  const first = await add(store, 'first');
  await store.write((db) => db.deleteFrom('companies').execute());
  expect(await add(store, 'second')).toBeGreaterThan(first);
  await store.close();
});

test('what is read together is of one moment, whatever is written meanwhile', async () => {
  const { store } = await emptyStore();
  await add(store, 'first');
  const seen = await store.readTogether(async (db) => {
    const before = await db.selectFrom('companies').select('name').execute();
    await add(store, 'second');
    return [before, await db.selectFrom('companies').select('name').execute()];
  });
  expect(seen).toEqual([[{ name: 'first' }], [{ name: 'first' }]]);
  expect(await names(store)).toEqual(['first', 'second']);
  // One that fails leaves its turn to the next.
  await expect(store.readTogether(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await store.readTogether((db) => db.selectFrom('companies').select('name').execute())).toHaveLength(
    2,
  );
  const last = store.readTogether((db) => db.selectFrom('companies').selectAll().execute());
  await store.close();
  expect(await last).toHaveLength(2);
});
