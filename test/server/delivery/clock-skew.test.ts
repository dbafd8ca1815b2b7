import { expect, test } from 'vitest';
import { startDeliveryService, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

const hourMs = 3_600_000;

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
