import { expect, test } from 'vitest';
import { loopback, until } from '../server/delivery/delivery-service.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createTestDatabase } from '../support/databases.ts';
import { startService } from '../support/service.ts';
import { startInstance } from './balanced-processes.ts';

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
