import { expect, test } from 'vitest';
import { startDeliveryService, startWebhook, until } from './delivery-service.ts';

const hourMs = 3_600_000;

test('does not wait an hour for a lease that a worker took while its clock was an hour ahead', async () => {
  const { worker, company, database, secretKey, delivery, receiver } = await startWebhook(undefined, {
    now: () => Date.now() + hourMs,
  });
  await worker.stop();
  await company.contact();
  await database.executeSql(
    `update deliveries set leased_by = 'gone', leased_until = ${Date.now() + hourMs}`,
  );
  await startDeliveryService({ database, secretKey, worker: { leaseMs: 300 } });
  await until(async () => (await delivery()).state === 'delivered');
  expect(receiver.calls).toHaveLength(1);
});

test('no other worker sends a delivery that a worker whose clock was set back still sends', async () => {
  let aheadMs = hourMs;
  // Long enough for a machine with much other work.
  const worker = { leaseMs: 1_500, shutdownTimeoutMs: 0 };
  // The receiver does not respond, so that the worker never is without a claim.
  const { company, receiver, database, secretKey, delivery } = await startWebhook(() => {}, {
    now: () => Date.now() + aheadMs,
    // It looks for due deliveries less often than the other one.
    worker: { ...worker, pollMs: 100 },
  });
  await company.contact();
  await until(() => receiver.calls.length === 1);
  aheadMs = 0;
  await startDeliveryService({ database, secretKey, worker });
  const leaseEnd = async () => (await delivery()).leased_until ?? Number.POSITIVE_INFINITY;
  await until(async () => (await leaseEnd()) < Date.now() + hourMs / 2);
  const repaired = await leaseEnd();
  await until(async () => (await leaseEnd()) > repaired + 2 * worker.leaseMs);
  expect(receiver.calls).toHaveLength(1);
});
