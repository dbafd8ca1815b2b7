import { expect, test } from 'vitest';
import { loopback, until } from '../server/delivery/delivery-service.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createApiClient } from '../support/api-client.ts';
import { createTestDatabase } from '../support/databases.ts';
import { startService } from '../support/service.ts';
import { startInstance } from './balanced-processes.ts';

/* The simulator finds race conditions on SQLite. This test is about the locks of PostgreSQL. */

test('of concurrent writes in several services, one of each kind succeeds, and each has one event', async () => {
  const first = await startService();
  const { company, database } = first;
  const { token } = await company.token();
  const others = [await startService({ database }), await startService({ database })];
  const clients = [first, ...others].map(({ base }) => createApiClient(base, token));
  const fields = [await company.field({ isUnique: true }), await company.field({ isUnique: true })];
  const created = await company.webhook({ entity_id: 2, action_id: 1 });
  const updated = await company.webhook({ entity_id: 2, action_id: 2 });
  const id = await company.contact();

  for (let round = 0; round < 5; round += 1) {
    const { headers, body } = await company.api.getContact(id);
    const { id: _id, created_at: _made, updated_at: _changed, company_id: _company, ...whole } = body;
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const key = { 'idempotency-key': `round ${round}` };
    const values = fields.map((field) => ({ id: field.id, value: `value ${round}` }));
    const replies = clients.flatMap((client, number) =>
      Array.from({ length: 4 }, (_none, index) => [
        // Half of the requests claim the values in reverse order, which must not deadlock.
        client.createContact({ fields: index % 2 ? values : values.toReversed() }),
        client.createContact({ first_name: 'Ada' }, key),
        client.updateContact(id, { ...whole, last_name: `${round} ${number} ${index}` }, ifMatch),
      ]),
    );
    const [unique, keyed, updates] = [0, 1, 2].map((kind) =>
      Promise.all(replies.flatMap((each) => each[kind] ?? [])),
    );
    const statusesOf = async (sent: typeof unique) => (await sent)?.map(({ status }) => status).sort();
    expect(await statusesOf(unique)).toEqual([201, ...Array(11).fill(409)]);
    expect(new Set((await keyed)?.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await statusesOf(updates)).toEqual([200, ...Array(11).fill(412)]);
  }
  const sequences = async (webhook: number) =>
    (await company.events(webhook)).map(({ sequence }) => sequence);
  expect(await sequences(created)).toEqual(Array.from({ length: 11 }, (_none, index) => index + 1));
  expect(await sequences(updated)).toEqual([1, 2, 3, 4, 5]);
});

const events = 30;
/** Sets the clock of a Node process ahead by a minute. */
const ahead = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+60000';

test('a worker whose clock is a minute ahead takes no delivery from another worker', async () => {
  const database = await createTestDatabase();
  const { api, company, store, secretKey } = await startService({ database, addressPolicy: loopback });
  // Each request takes longer than the polls of the workers.
  const receiver = await startReceiver((_call, res) => void setTimeout(() => res.end(), 400));
  await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  const settings = {
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: secretKey.toString('base64'),
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: loopback.allowedNetworks.join(),
  };
  await Promise.all(
    ['', ahead].map((options) =>
      startInstance('worker', { settings: { ...settings, NODE_OPTIONS: options } }),
    ),
  );
  await Promise.all(Array.from({ length: events }, () => api.createContact({ first_name: 'Ada' })));
  await until(async () => {
    const rows = await store.read((db) =>
      db.selectFrom('deliveries').select('state').where('state', '<>', 'delivered').execute(),
    );
    return rows.length === 0;
  });
  expect(receiver.calls.length).toBe(events);
});
