import { expect, test } from 'vitest';
import { createSender } from '../../../server/delivery/sender.ts';
import { startWorker, type WorkerOptions } from '../../../server/delivery/worker.ts';
import { openAt } from '../../support/service.ts';
import { loopback, startDeliveryService, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

type Service = Awaited<ReturnType<typeof startDeliveryService>>;

/** Starts another worker on the same database, as another process would. */
async function anotherWorker({ database, secrets, now }: Service, options: Partial<WorkerOptions> = {}) {
  const store = await openAt(database.url);
  const sender = createSender({ policy: loopback, resolve: async () => [], now });
  const attempts: number[] = [];
  const worker = startWorker({
    store,
    secrets,
    now,
    send: sender.send,
    limits: { fast: 256, slow: 1_024, maxPerCompany: 128, maxPerWebhookAndOrigin: 16, slowAfterMs: 250 },
    leaseMs: 10_000,
    pollMs: 10,
    onAttempt: ({ sequence }) => attempts.push(sequence),
    onError: () => {},
    ...options,
  });
  return {
    attempts,
    worker,
    store,
    async stop() {
      await worker.stop();
      await sender.close();
      await store.close();
    },
  };
}

test('at its shutdown timeout, a worker returns its deliveries to the queue without counting an attempt', async () => {
  const receiver = await startReceiver(() => {});
  const { company, worker, attempts } = await startDeliveryService({ worker: { shutdownTimeoutMs: 50 } });
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(() => receiver.calls.length === 1);
  await worker.stop();
  expect(attempts).toEqual([]);
  expect(await company.events(webhook)).toMatchObject([
    { state: 'waiting', attempts: 0, leased_by: null, log: '[]' },
  ]);
});

test('a worker in another process finds deliveries', async () => {
  const receiver = await startReceiver();
  const service = await startDeliveryService();
  await service.worker.stop();
  const { company } = service;
  const other = await anotherWorker(service);
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(async () => (await company.events(webhook))[0]?.state === 'delivered');
  await other.stop();
});

test('a database outage loses no result and repeats no webhook request', async () => {
  const receiver = await startReceiver();
  let failures = 0;
  const { company, workerFaults } = await startDeliveryService({
    worker: {},
    wrapStore: (store) => ({
      ...store,
      write(work, companyId) {
        if (failures === 0) return store.write(work, companyId);
        failures -= 1;
        return Promise.reject(new Error('The database is unavailable.'));
      },
    }),
    onCall: () => {
      failures = 3;
    },
  });
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(async () => (await company.events(webhook))[0]?.state === 'delivered');
  expect([receiver.calls.length, workerFaults.length > 0]).toEqual([1, true]);
});
