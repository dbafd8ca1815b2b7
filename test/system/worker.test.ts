import { expect, test } from 'vitest';
import { serviceAndWorker } from '../server/delivery/delivery-processes.ts';
import { until } from '../server/delivery/delivery-service.ts';

test('a separate worker sends the events of an API process, and stops on SIGTERM', async () => {
  const processes = await serviceAndWorker();
  await processes.start('api');
  const { api, calls } = await processes.createCompany();
  await api.createContact({ first_name: 'Ada' });
  await processes.start('worker');
  await until(() => calls.length === 1);
  expect(await processes.end('worker')).toBe(0);
  const rows = await processes.store.read((db) => db.selectFrom('deliveries').selectAll().execute());
  expect(rows).toMatchObject([{ state: 'delivered', leased_by: null }]);
  expect(await processes.end('api')).toBe(0);
});
