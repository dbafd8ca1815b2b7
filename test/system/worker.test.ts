import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { until } from '../server/delivery/delivery-service.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';
import { createCli } from '../support/cli.ts';
import { createTestDatabase } from '../support/databases.ts';
import { createCompany, openAt } from '../support/service.ts';
import { startInstance } from './balanced-processes.ts';

test('a separate worker sends the events of an API process, and both log the trace of the request', async () => {
  const database = await createTestDatabase();
  const settings = {
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: randomBytes(32).toString('base64'),
    PARLEY_EMBEDDED_WORKER: 'no',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
  };
  const service = await startInstance('main', { settings });
  const store = await openAt(database.url);
  const { api } = await createCompany({ store, base: service.base, parley: createCli(database.url) });
  const receiver = await startReceiver();
  await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  const trace = 'a'.repeat(32);
  await api.createContact({ first_name: 'Ada' }, { traceparent: `00-${trace}-${'b'.repeat(16)}-01` });
  const worker = await startInstance('worker', { settings });
  await until(() => receiver.calls.length === 1);
  expect(await worker.stop()).toBe(0);
  const rows = await store.read((db) => db.selectFrom('deliveries').selectAll().execute());
  expect(rows).toMatchObject([{ state: 'delivered', leased_by: null }]);
  await store.close();
  expect(await service.stop()).toBe(0);
  const traced = [service, worker].map(({ log }) =>
    log()
      .split('\n')
      .filter((line) => line.includes(`"trace":"${trace}"`))
      .map((line) => JSON.parse(line).msg),
  );
  expect(traced).toEqual([['request completed'], ['attempt']]);
});
