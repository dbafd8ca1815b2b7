import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { failureToleranceMs } from '../../../server/delivery/outcome.ts';
import { settleDeliveries } from '../../../server/delivery/settle-deliveries.ts';
import { purgeOldDeliveries } from '../../../server/features/purge-old-rows.ts';
import { createSecrets } from '../../../server/security/secrets/encryption.ts';
import { insertMany } from '../../../server/storage/queries/bulk.ts';
import { purgeDeliveries, replayDeliveries } from '../../../server/storage/queries/deliveries.ts';
import { startDeliveryService, startWebhook, until } from './delivery-service.ts';
import { type ReceiverHandler, startReceiver } from './webhook-receiver.ts';

test('a worker keeps its deliveries and repeats no request after a database outage longer than its lease', async () => {
  let away = false;
  const respond: ReceiverHandler = (_call, res) => void setTimeout(() => res.end(), 1_200);
  const { company, attempts, receiver, delivery } = await startWebhook(respond, {
    worker: { leaseMs: 300 },
    wrapStore: (store) => ({
      ...store,
      write: (work, companyId) => (away ? Promise.reject(new Error('away')) : store.write(work, companyId)),
    }),
  });
  await company.contact();
  await until(() => receiver.calls.length === 1);
  away = true;
  await wait(800);
  away = false;
  await until(async () => (await delivery()).state === 'delivered');
  await wait(300);
  expect([receiver.calls.length, attempts.length]).toEqual([1, 1]);
});

test('at its shutdown timeout, a worker returns its deliveries to the queue without counting an attempt', async () => {
  const { company, worker, attempts, receiver, deliveries } = await startWebhook(() => {}, {
    worker: { shutdownTimeoutMs: 50 },
  });
  await company.contact();
  await until(() => receiver.calls.length === 1);
  await worker.stop();
  expect(attempts).toEqual([]);
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0, leased_by: null, log: '[]' }]);
});

test('a late response from an old URL does not disable a webhook whose URL has changed', async () => {
  const response: { gone?: () => void } = {};
  const fresh = await startReceiver();
  const { company, update, delivery, row } = await startWebhook((_call, res) => {
    response.gone = () => res.writeHead(410).end();
  });
  await company.contact();
  await until(() => response.gone !== undefined);
  await update({ url: fresh.url });
  response.gone?.();
  await until(() => fresh.calls.length === 1);
  await until(async () => (await delivery()).state === 'delivered');
  expect(await row()).toMatchObject({ disabled_at: null, failing_since: null });
});

test('a webhook with a new URL counts as healthy, regardless of the failures of its old URL', async () => {
  const { company, attempt, attempts, receiver, update, row, clock } = await startWebhook(
    (_call, res) => res.writeHead(503).end(),
    { startAt: Date.UTC(2026, 0, 5) },
  );
  await attempt();
  clock.now += failureToleranceMs - 3_600_000;
  await update({ url: `${receiver.url}new` });
  expect(await row()).toMatchObject({ failing_since: null });
  clock.now += 24 * 3_600_000;
  await company.contact();
  await until(() => attempts.length >= 3);
  expect(await row()).toMatchObject({ disabled_at: null });
});

test('the worker seldom writes to the database while it can claim nothing, for any number of webhooks', async () => {
  let writes = 0;
  const { store, company, addCompany, receiver } = await startWebhook(() => {}, {
    worker: { pollMs: 200, shutdownTimeoutMs: 0 },
    sender: { callMs: 60_000 },
    wrapStore: (real) => ({
      ...real,
      write: (work, companyId) => {
        writes += 1;
        return real.write(work, companyId);
      },
    }),
  });
  const tomorrow = Date.now() + 24 * 3_600_000;
  for (const { id: company_id } of [company, await addCompany(), await addCompany()])
    await store.write(async (db) => {
      const webhook = {
        ...{ company_id, verb_id: 3, entity_id: 1, action_id: 1, url: 'https://hooks.example.com/a' },
        ...{ secret: new Uint8Array(), last_sequence: 1, created_at: 1, updated_at: 1 },
      } as const;
      const ids = await insertMany(db, 'webhooks', Array(99).fill(webhook));
      const delivery = {
        ...{ company_id, sequence: 1, type: 'x', data_id: 1, created_at: 1 },
        ...{ state: 'waiting' as const, due_at: tomorrow },
      };
      const deliveries = ids.map((webhook_id) => ({ webhook_id, ...delivery }));
      await db.insertInto('deliveries').values(deliveries).execute();
    });
  for (let times = 0; times < 3; times += 1) await company.contact();
  await until(() => receiver.calls.length === 1);
  await wait(300);
  writes = 0;
  await wait(1_000);
  expect(writes).toBeLessThan(20);
});

test('does not count an attempt if the webhook secret cannot be decrypted, and the webhook stays healthy', async () => {
  const secrets = createSecrets(Buffer.alloc(32, 9));
  const { company, receiver, delivery, row, workerFaults } = await startWebhook(undefined, {
    worker: { secrets },
  });
  await company.contact();
  await until(() => workerFaults.length > 0);
  await until(async () => (await delivery()).leased_by === null);
  expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 0, log: '[]' });
  expect(await row()).toMatchObject({ failing_since: null });
  expect(receiver.calls).toEqual([]);
});

test('purges old deliveries, except waiting and exhausted ones', async () => {
  const { api, company, store, database, attempts, worker, clock, webhook, deliveries } = await startWebhook(
    undefined,
    {
      startAt: Date.UTC(2026, 0, 5),
    },
  );
  for (let times = 0; times < 3; times += 1) await company.contact();
  await until(() => attempts.length === 3);
  await worker.stop();
  for (const state of ['waiting', 'exhausted'] as const)
    await database.executeSql(`update deliveries set state = '${state}' where sequence = 3`);
  clock.now += 30 * 24 * 3_600_000;
  expect(await purgeOldDeliveries(store, clock.now)).toBe(0);
  await store.write((db) =>
    replayDeliveries(db, company.id, webhook, { sequences: [1], type: 'contact.created', now: clock.now }),
  );
  // A purge that read the delivery before the replay does not delete it.
  expect(await store.write((db) => purgeDeliveries(db, company.id, webhook, [1]))).toBe(0);
  expect(await purgeOldDeliveries(store, clock.now + 1)).toBe(1);
  expect((await deliveries()).map(({ sequence, state }) => [sequence, state])).toEqual([
    [1, 'waiting'],
    [3, 'exhausted'],
  ]);
  await api.deleteWebhook(webhook);
  await settleDeliveries(store, { now: () => clock.now });
  expect(await purgeOldDeliveries(store, clock.now + 1)).toBe(2);
  expect(await store.read((db) => db.selectFrom('delivery_payloads').selectAll().execute())).toEqual([]);
});

test('an invalid URL in the database does not stop deliveries to other webhooks', async () => {
  const { company, database, attempts, receiver, webhook: good } = await startWebhook();
  const broken = await company.webhook({ entity_id: 2, action_id: 1, url: `${receiver.url}broken` });
  await database.executeSql(`update webhooks set url = 'nowhere' where id = ${broken}`);
  await company.contact();
  await until(() => attempts.some(({ webhookId }) => webhookId === good));
  await until(() => attempts.some(({ webhookId }) => webhookId === broken));
  expect(receiver.calls.map(({ url }) => url)).toEqual(['/']);
});

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
