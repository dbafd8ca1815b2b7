import { expect, test } from 'vitest';
import { lockCompany } from '../../../../server/storage/locks.ts';
import { revokeToken } from '../../../../server/storage/queries/tokens.ts';
import { type Database, LockTimeout, type Store } from '../../../../server/storage/store.ts';
import { createTestDatabase } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../delivery/delivery-service.ts';
import { holdLock } from './hold-lock.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** Sends requests while a lock is held, so that all but the first wait for one transaction. */
async function whileHeld<T>(
  service: Service,
  lock: (db: Database) => Promise<unknown>,
  send: () => Promise<T>[],
): Promise<T[]> {
  const release = await holdLock(service.store, lock);
  const sent = send();
  await untilWaiting(service.store, sent.length - 1);
  await release();
  return Promise.all(sent);
}

const atOnce = <T>(service: Service, send: () => Promise<T>[]): Promise<T[]> =>
  whileHeld(service, (db) => lockCompany(db, service.company.id), send);

async function untilWaiting({ health }: Store, count: number): Promise<void> {
  while (health().waiting < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

const transactionsOf = async (service: Service, table: string) =>
  (await service.database.look(`select xmin::text, count(*)::int from ${table} group by 1 order by 2`)).map(
    (row) => Number((row as { count: number }).count),
  );

test('waiting creates of a company share a transaction, and each has its own contact, event and response', async () => {
  const service = await startService();
  const { api, company, store } = service;
  await company.webhook({ entity_id: 2, action_id: 1 });
  const names = Array.from({ length: 20 }, (_, at) => `Ada ${at}`);
  const responses = await atOnce(service, () => names.map((first_name) => api.createContact({ first_name })));
  expect(await transactionsOf(service, 'contacts')).toEqual([1, 19]);
  const stored = await Promise.all(
    responses.map(async ({ body }) => (await api.getContact(body.id)).body.first_name),
  );
  expect(stored).toEqual(names);
  const events = await store.read((db) =>
    db.selectFrom('deliveries').select(['sequence', 'data_id']).execute(),
  );
  expect(events.map(({ sequence }) => sequence).sort((one, other) => one - other)).toEqual(
    names.map((_, at) => at + 1),
  );
  expect(new Set(events.map(({ data_id }) => data_id))).toEqual(
    new Set(responses.map(({ body }) => body.id)),
  );
});

test('a create that fails in a shared transaction changes nothing for the others', async () => {
  const service = await startService();
  const { api, company } = service;
  const field = await company.field({ isUnique: true });
  const withValue = (value: string) => ({ fields: [{ id: field.id, value }] });
  await api.createContact(withValue('taken'));
  const values = ['first', 'a', 'taken', 'b', 'twice', 'twice', 'c'];
  const responses = await atOnce(service, () => [
    ...values.map((value) => api.createContact(withValue(value))),
    api.createContact({ fields: [{ id: field.id + 1, value: 'x' }] }),
    api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'k' }),
  ]);
  const statuses = responses.map(({ status }) => status);
  expect([statuses.slice(0, 4), statuses.slice(4, 6).sort(), statuses.slice(6)]).toEqual([
    [201, 201, 409, 201],
    [201, 409],
    [201, 422, 201],
  ]);
  const again = await api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'k' });
  expect(again.body).toEqual(responses.at(-1)?.body);
  expect((await api.listContacts('?include_anonymous=true')).body).toHaveLength(
    1 + statuses.filter((status) => status === 201).length,
  );
});

test('a revocation waits for the transaction in flight, and later creates of the token fail alone', async () => {
  const service = await startService();
  const { company, database, store } = service;
  const revoked = await company.token();
  const release = await holdLock(service.store, (db) => lockCompany(db, company.id));
  const create = ({ api }: Pick<typeof company, 'api'>) => api.createContact({ first_name: 'Ada' });
  const untilLocksWait = (count: number) =>
    until(async () => (await database.look('select 1 from pg_locks where not granted')).length >= count);
  const first = create(revoked);
  await untilLocksWait(1);
  // These wait for the transaction of the first one. The last use of the token is not noted at the same time.
  const others = [company, revoked, company, revoked].map(create);
  await untilWaiting(store, others.length);
  const revoking = store.write((db) => revokeToken(db, company.id, revoked.id, Date.now()));
  await untilLocksWait(2);
  await release();
  expect(await revoking).toBe(true);
  expect((await first).status).toBe(201);
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 401, 201, 401]);
  expect((await company.api.listContacts('?include_anonymous=true')).body).toHaveLength(3);
});

test('a write sees a revocation that it has waited for, regardless of the default isolation level', async () => {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.executeSql(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
  const service = await startService({ database });
  const { company } = service;
  const { id, api } = await company.token();
  const conversation = await company.conversation({ caller_id: await company.contact() });
  const release = await holdLock(service.store, (db) => revokeToken(db, company.id, id, Date.now()));
  // A shared transaction, and one of its own.
  const writes = Promise.all([
    api.createMessage({ conversation_id: conversation.id, type: 'text', payload: 'Hello' }),
    api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: 'https://hooks.example.com/a' }),
  ]);
  const locks = "select 1 from pg_locks where locktype = 'advisory' and not granted";
  await Promise.race([writes, until(async () => (await database.look(locks)).length === 2)]);
  await release();
  expect((await writes).map(({ status }) => status)).toEqual([401, 401]);
});

test('messages of one conversation run one after another in a shared transaction, and reopen it once', async () => {
  const service = await startService();
  const { api, company, store, database } = service;
  await company.webhook({ entity_id: 1, action_id: 2 });
  const [one, other] = [
    await company.conversation({ caller_id: await company.contact() }),
    await company.conversation({ caller_id: await company.contact() }),
  ];
  await database.executeSql('update conversations set is_closed = 1');
  const responses = await whileHeld(
    service,
    (db) => db.selectFrom('conversations').selectAll().forUpdate().execute(),
    () =>
      [one, other, one, other, one].map(({ id: conversation_id }, at) =>
        api.createMessage({ conversation_id, type: 'text', payload: `${at}` }),
      ),
  );
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(await transactionsOf(service, 'messages')).toEqual([1, 4]);
  // Concurrent requests may arrive in any order.
  const created = [0, 2, 4]
    .map((at) => ({ id: responses[at]?.body.id, payload: `${at}` }))
    .sort((before, after) => before.id - after.id);
  const { body } = await api.getConversation(one.id);
  expect(body.messages).toMatchObject(created);
  const reopened = await store.read((db) => db.selectFrom('deliveries').select('data_id').execute());
  expect(reopened.map(({ data_id }) => data_id).sort()).toEqual([one.id, other.id].sort());
});

test('writes that cannot take the lock of their group are rejected together, and later ones succeed', async () => {
  const service = await startService({ lockWaitMs: 200 });
  const { api, company } = service;
  const release = await holdLock(service.store, (db) => lockCompany(db, company.id));
  const responses = await Promise.all(Array.from({ length: 5 }, () => api.createContact({})));
  for (const response of responses) expect(response).toBeApiError(503, 50303);
  await release();
  expect((await api.createContact({})).status).toBe(201);
  expect(service.errors.every(({ error }) => error instanceof LockTimeout)).toBe(true);
});

test('creates in flight while connections break are stored at most once, and always if acknowledged', async () => {
  const { api, database } = await startService();
  let ended = 0;
  const sent = Array.from({ length: 60 }, (_, at) =>
    api.createContact({ first_name: `Ada ${at}` }).finally(() => (ended += 1)),
  );
  while (ended < sent.length) {
    await database.executeSql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const stored = (await database.look('select first_name from contacts')).map(
    (row) => (row as { first_name: string }).first_name,
  );
  expect(new Set(stored).size).toBe(stored.length);
  for (const [at, response] of (await Promise.all(sent)).entries())
    if (response.status === 201) expect(stored).toContain(`Ada ${at}`);
    else expect(response).toBeApiError(503, 50303);
});
