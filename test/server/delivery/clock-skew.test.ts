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

test('no other worker sends a delivery that a worker whose clock was set back still sends', async () => {
  // The receiver does not respond, so that the worker never is without a claim.
  const receiver = await startReceiver(() => {});
  let aheadMs = hourMs;
  // Long enough for a machine with much other work.
  const worker = { leaseMs: 1_500, shutdownTimeoutMs: 0 };
  const first = await startDeliveryService({
    now: () => Date.now() + aheadMs,
    // It looks for due deliveries less often than the other one.
    worker: { ...worker, pollMs: 100 },
  });
  await first.company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await first.company.contact();
  await until(() => receiver.calls.length === 1);
  aheadMs = 0;
  const { database, secrets } = first;
  await startDeliveryService({ database, secrets, worker: { ...worker, secrets } });
  const leaseEnd = async () => {
    const [row] = await first.store.read((db) =>
      db.selectFrom('deliveries').select('leased_until').execute(),
    );
    return row?.leased_until ?? Number.POSITIVE_INFINITY;
  };
  await until(async () => (await leaseEnd()) < Date.now() + hourMs / 2);
  const repaired = await leaseEnd();
  await until(async () => (await leaseEnd()) > repaired + 2 * worker.leaseMs);
  expect(receiver.calls).toHaveLength(1);
});
