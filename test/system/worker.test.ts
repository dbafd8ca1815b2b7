import { expect, test } from 'vitest';
import { serviceAndWorker } from '../server/delivery/delivery-processes.ts';
import { until } from '../server/delivery/delivery-service.ts';

const metricsIn = (log: string): string => /http:\/\/[\d.:]+\/metrics/.exec(log)?.[0] ?? '';

test('a service with an embedded worker sends webhooks, exports delivery metrics, and stops on SIGTERM', async () => {
  const processes = await serviceAndWorker({
    PARLEY_EMBEDDED_WORKER: 'yes',
    PARLEY_METRICS_PORT: '0',
  });
  const base = await processes.start('api');
  const { api, calls, secret } = await processes.createCompany();
  await api.createContact({ first_name: 'Secretly' });
  await until(() => calls.length === 1);
  await until(() => processes.log().includes('"attempt"'));
  const metrics = await (await fetch(metricsIn(processes.log()))).text();
  expect(metrics).toContain('parley_delivery_attempts_total{outcome="2xx"} 1');
  expect(metrics).toContain('parley_requests_total{operation="createContact",status="201"} 1');
  expect(metrics).toContain('parley_deliveries_waiting 0');
  expect((await fetch(metricsIn(processes.log()).replace('/metrics', '/other'))).status).toBe(404);
  expect((await fetch(`${base}/metrics`)).status).not.toBe(200);
  expect(await processes.end('api')).toBe(0);
  for (const never of ['Secretly', secret, 'whsec_']) expect(processes.log() + metrics).not.toContain(never);
});

test('a separate worker sends the events of an API process, and stops on SIGTERM', async () => {
  const processes = await serviceAndWorker({ PARLEY_METRICS_PORT: '0' });
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
