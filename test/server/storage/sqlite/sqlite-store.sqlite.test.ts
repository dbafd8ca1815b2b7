import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tables } from '../../../../generated/tables.ts';
import { allMigrations } from '../../../../server/storage/migrations/migrate.ts';
import { insertCompany } from '../../../../server/storage/queries/companies.ts';
import { tableNames } from '../../../../server/storage/schema.ts';
import { openSqlite } from '../../../../server/storage/sqlite/sqlite-store.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { createCli } from '../../../support/cli.ts';
import { createTestDatabase, freshFile } from '../../../support/databases.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
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

test('a failed migration leaves the database unchanged', async () => {
  const { file } = await freshFile();
  await (await openSqlite(file)).close();
  const otherProgram = new DatabaseSync(file);
  // The second migration creates a table that exists already, so it fails.
  const later = `kysely_migration WHERE name > '${allMigrations[0]}'`;
  otherProgram.exec(`CREATE TEMP TABLE removed AS SELECT * FROM ${later}; DELETE FROM ${later}`);
  const before = readFileSync(file);
  await expect(openSqlite(file)).rejects.toThrow('unsettled_webhooks');
  expect(readFileSync(file)).toEqual(before);
  otherProgram.exec('INSERT INTO kysely_migration SELECT * FROM removed');
  otherProgram.close();
  await (await openSqlite(file)).close();
});

test('refuses a database from before version 1.6.0, and names the version that migrates it', async () => {
  const { file, executeSql } = await freshFile();
  await (await openSqlite(file)).close();
  await executeSql("DELETE FROM kysely_migration WHERE name >= '0012'");
  await expect(openSqlite(file)).rejects.toThrow('Start version 1.6.0 once, which migrates it.');
});

test('tables come after those that they refer to, and their keys are unique', async () => {
  const database = await createTestDatabase();
  await createCli(database.url)('migrate');
  for (const name of tableNames) {
    const references = await database.look(
      `select distinct "table" as parent from pragma_foreign_key_list('${name}')`,
    );
    for (const { parent } of references as { parent: (typeof tableNames)[number] }[])
      expect(tableNames.indexOf(parent), `${name} refers to ${parent}`).toBeLessThan(
        tableNames.indexOf(name),
      );
    const unique = await database.look(
      `select group_concat(i.name, ' ') as columns from pragma_index_list('${name}') as l, pragma_index_info(l.name) as i
        where l."unique" = 1 group by l.name
       union all select group_concat(name, ' ') from pragma_table_info('${name}') where pk > 0`,
    );
    const columns = name === 'companies' ? tables[name].key : ['company_id', ...tables[name].key];
    expect(
      unique.map((row) => Object(row).columns),
      `the migration of ${name} must add a unique constraint on ${columns}`,
    ).toContain(columns.join(' '));
  }
});

test('failed writes of a group are rolled back, and the other writes are committed once, in order', async () => {
  const { store } = await emptyStore();
  let written: string[] = [];
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (sound) => {
      turn += 1;
      const nameOf = (index: number) => `${turn} ${index}`;
      const outcomes = await Promise.allSettled(
        sound.map((isValid, index) =>
          store.write(async (db) => {
            const id = await insertCompany(db, { name: nameOf(index), created_at: index });
            if (!isValid) throw new Error(nameOf(index));
            return id;
          }),
        ),
      );
      // Each caller gets its own error.
      expect(
        outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : true)),
      ).toEqual(sound.map((isValid, index) => isValid || nameOf(index)));
      written = [...written, ...sound.flatMap((isValid, index) => (isValid ? [nameOf(index)] : []))];
      expect(await names(store)).toEqual(written);
    }),
    { numRuns: sampleCount(50), seed },
  );
});

test('no other connection can write while a failed group is retried', async () => {
  const { database, store } = await emptyStore(({ file }) => openSqlite(file));
  const other = new DatabaseSync(database.file, { timeout: 0 });
  const tried: boolean[] = [];
  const writing = (fails: boolean) =>
    store.write(async (db) => {
      await insertCompany(db, { name: 'One', created_at: 1 });
      try {
        other.exec('BEGIN IMMEDIATE; ROLLBACK');
        tried.push(true);
      } catch {
        tried.push(false);
      }
      if (fails) throw new Error('mine');
    });
  const outcomes = await Promise.allSettled([writing(false), writing(true), writing(false)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  // Five attempts: the first two writes together, then each of the three separately.
  expect(tried).toEqual([false, false, false, false, false]);
  other.close();
});
