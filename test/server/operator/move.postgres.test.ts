import { expect, test } from 'vitest';
import { engineOf } from '../../../server/storage/engine.ts';
import { tableNames } from '../../../server/storage/schema.ts';
import { openSqlite } from '../../../server/storage/sqlite/sqlite-store.ts';
import { createApiClient } from '../../support/api-client.ts';
import { createCli } from '../../support/cli.ts';
import { createTestDatabase, freshFile, type TestDatabase } from '../../support/databases.ts';
import { openAt, startService } from '../../support/service.ts';
import { createTraceableContact } from '../features/privacy/traceable-contact.ts';

/** Fills an embedded database, and creates requests to compare before and after a move. */
async function createFilledDatabase() {
  const database = await freshFile();
  const { api, store, company } = await startService({ database });
  for (const mark of ['One', 'Two']) await createTraceableContact(company, mark);
  for (let count = 0; count < 20; count += 1) await company.contact({ first_name: `Lindqvist ${count}` });
  const { token } = await company.token();
  const idsOf = async (table: string) =>
    (await database.look(`select id from ${table}`)).map((row) => Number(Object(row).id));
  const paths = [
    '/contacts?per_page=100&include_anonymous=true',
    '/contacts?per_page=7&page=2&order=desc',
    '/contacts/search?query=lindqvist&per_page=100',
    '/contacts/search?query=li',
    '/fields',
    '/all/conversations?per_page=100',
    ...(await idsOf('contacts')).map((id) => `/contacts/${id}`),
    ...(await idsOf('conversations')).map((id) => `/conversations/${id}`),
    ...(await idsOf('messages')).map((id) => `/messages/${id}`),
  ];
  const ask = async (base: string) => {
    const client = createApiClient(base, token);
    const replies = await Promise.all(
      paths.map((path) => client.send(`/api/v1${path}`, { headers: { prefer: 'count=exact' } })),
    );
    return replies.map(({ status, headers, text }) => [
      status,
      ...['etag', 'link', 'x-total-count'].map((name) => headers.get(name)),
      text,
    ]);
  };
  return { database, api, store, token, ask };
}

const moved = (from: TestDatabase, to: Pick<TestDatabase, 'url'>) =>
  createCli(from.url)('move', '--to', to.url);

test('after a move, the service returns the same responses and continues the ID sequences', async () => {
  const { database, api: earlier, store, token, ask } = await createFilledDatabase();
  const kept = await earlier.createContact({ first_name: 'Once' }, { 'idempotency-key': 'moved' });
  const highest = kept.body.id;
  const before = await ask(earlier.base);
  await store.close();

  const target = await createTestDatabase({ empty: true });
  const { tables: counts } = await createCli(database.url).json('move', '--to', target.url);
  expect(counts.map(({ table }: { table: string }) => table)).toEqual(tableNames);
  const isFilled = ({ table }: { table: string }) => !['unsettled_webhooks', 'erasures'].includes(table);
  for (const { table, rows } of counts.filter(isFilled)) expect(rows, table).toBeGreaterThan(0);

  // The move updates the planner statistics, so PostgreSQL knows the number of rows immediately.
  const [{ reltuples }] = (await target.look(
    "select reltuples from pg_class where relname = 'messages'",
  )) as [{ reltuples: number }];
  expect(reltuples).toBe(counts.find(({ table }: { table: string }) => table === 'messages').rows);
  const records = await createCli(target.url).json('audit list');
  expect(records[0]).toMatchObject({ action: 'move', operator: expect.any(String) });
  const after = await startService({ database: target });
  expect(await ask(after.base)).toEqual(before);
  const api = createApiClient(after.base, token);
  const again = await api.createContact({ first_name: 'Once' }, { 'idempotency-key': 'moved' });
  expect([again.status, again.body.id]).toEqual([201, highest]);
  expect((await api.createContact({ first_name: 'Next' })).body.id).toBe(highest + 1);
});

test('move leaves the target empty if a copied row differs from the original', async () => {
  const database = await freshFile();
  const service = await startService({ database });
  await service.company.contact({ first_name: 'Ada' });
  await service.store.close();
  const target = await createTestDatabase();
  await target.executeSql(`create function other() returns trigger language plpgsql as $$
      begin new.first_name := 'Eve'; return new; end $$;
    create trigger other before insert on contacts for each row execute function other()`);
  expect(await moved(database, target)).toFail(1, 'The copy of contacts differs');
  const store = await openAt(target.url);
  for (const table of tableNames)
    expect(await store.read((db) => db.selectFrom(table).selectAll().execute()), table).toEqual([]);
  // Companies are copied before contacts. Their IDs must not continue after those that were not moved.
  expect(await store.read((db) => engineOf(db).lastAssignedId(db, 'companies'))).toBe(0);
  await store.close();
});

test('move rejects a PostgreSQL source, a source in use, and a filled, invalid or unreachable target', async () => {
  const database = await freshFile();
  const service = await startService({ database });
  const target = await createTestDatabase();
  expect(await moved(database, target)).toFail(1, 'is in use');
  await service.store.close();
  const other = await startService();
  expect(await moved(database, other.database)).toFail(1, 'contains companies already');
  expect(await moved(database, database)).toFail(2, '--to is not a PostgreSQL URL');
  expect(await moved(other.database, target)).toFail(2, 'DATABASE_URL=file:');
  const refused = await moved(database, { url: 'postgres://u:hunter2@127.0.0.1:1/x' });
  expect(refused).toFail(1, '--to names postgres://u@127.0.0.1:1/x, which');
  expect(refused.err).not.toContain('hunter2');
  // The source database can still be opened.
  await (await openSqlite(database.file)).close();
});
