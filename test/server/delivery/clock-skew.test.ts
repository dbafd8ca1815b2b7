import { expect, test } from 'vitest';
import { startDeliveryService, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

const hourMs = 3_600_000;

test('sends events on time after a clock that was an hour ahead is set back', async () => {
  let aheadMs = hourMs;
  let isAway = false;
  const receiver = await startReceiver();
  const { company, worker } = await startDeliveryService({
    now: () => Date.now() + aheadMs,
    wrapStore: (store) => ({
      ...store,
      read: (work) => (isAway ? Promise.reject(new Error('It is unavailable.')) : store.read(work)),
    }),
  });
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(() => receiver.calls.length === 1);
  isAway = true;
  await company.contact();
  await company.contact();
  aheadMs = 0;
  isAway = false;
  worker.wake();
  await until(() => receiver.calls.length === 3);
  await until(async () => (await company.events(webhook)).every(({ state }) => state === 'delivered'));
});

test('does not wait an hour for a lease that a worker took while its clock was an hour ahead', async () => {
  const receiver = await startReceiver();
  const first = await startDeliveryService({ now: () => Date.now() + hourMs });
  await first.worker.stop();
  const webhook = await first.company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await first.company.contact();
  await first.store.write((db) =>
    db
      .updateTable('deliveries')
      .set({ leased_by: 'gone', leased_until: Date.now() + hourMs })
      .execute(),
  );
  await startDeliveryService({
    database: first.database,
    secrets: first.secrets,
    worker: { leaseMs: 300, secrets: first.secrets },
  });
  await until(async () => (await first.company.events(webhook)).every(({ state }) => state === 'delivered'));
  expect(receiver.calls).toHaveLength(1);
});
