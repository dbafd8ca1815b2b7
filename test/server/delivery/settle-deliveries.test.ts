import { expect, test } from 'vitest';
import { partSize, settleDeliveries } from '../../../server/delivery/settle-deliveries.ts';
import {
  disableWebhookForOperator,
  enableWebhook,
} from '../../../server/features/webhooks/enable-disable.ts';
import { type DeliveryState, deliveryStates } from '../../../server/storage/delivery-states.ts';
import { countDeliveries } from '../../../server/storage/queries/deliveries.ts';
import { updateRow } from '../../../server/storage/queries/rows.ts';
import { listUnsettled, unsettle } from '../../../server/storage/queries/unsettled-webhooks.ts';
import { findWebhookForUpdate } from '../../../server/storage/queries/webhooks.ts';
import type { Store } from '../../../server/storage/store.ts';
import { startService } from '../../support/service.ts';

const now = Date.UTC(2026, 10, 27);
/** Two parts, and 100 more. */
const count = 2 * partSize + 100;

/** A webhook with deliveries, without a worker. */
async function withDeliveries(state: DeliveryState = 'waiting', length = count) {
  const { api, store, company } = await startService();
  const id = await company.webhook({ entity_id: 2, action_id: 2, url: 'https://hooks.example.com/' });
  const deliveries = Array.from({ length }, (_, index) => ({
    ...{ company_id: company.id, webhook_id: id, sequence: index + 1, type: 'contact.updated', data_id: 1 },
    ...{ state: deliveryStates[state], due_at: state === 'waiting' ? now : null, created_at: now },
  }));
  await store.write((db) => db.insertInto('deliveries').values(deliveries).execute());
  const change = (work: typeof enableWebhook) =>
    store.write(async (db) => {
      const webhook = await findWebhookForUpdate(db, company.id, id);
      if (webhook) await work(db, webhook, now);
    });
  const states = async () =>
    Object.entries(await store.read((db) => countDeliveries(db, company.id, id)))
      .map(([name, number]) => `${number} ${name}`)
      .join();
  return { api, store, company, id, change, states };
}

const settle = (store: Store) => settleDeliveries(store, { now: () => now });

test('a change of a webhook is committed alone, and its deliveries follow in small transactions', async () => {
  const { api, store, id, change, states } = await withDeliveries();
  await change(disableWebhookForOperator);
  expect(await states()).toBe(`${count} waiting`);
  let writes = 0;
  const counted: Store = {
    ...store,
    write(work, company) {
      writes += 1;
      return store.write(work, company);
    },
  };
  await settle(counted);
  expect([writes, await states()]).toEqual([3, `${count} paused`]);
  await change(enableWebhook);
  await settle(store);
  expect(await states()).toBe(`${count} waiting`);
  await api.deleteWebhook(id);
  await settle(store);
  expect(await states()).toBe(`${count} canceled`);
});

test('deliveries follow the last of several changes, from the first delivery', async () => {
  const { store, change, states } = await withDeliveries();
  await change(disableWebhookForOperator);
  let writes = 0;
  await settle({
    ...store,
    async write(work, company) {
      writes += 1;
      if (writes === 2) await change(enableWebhook);
      return store.write(work, company);
    },
  });
  expect(await states()).toBe(`${count} waiting`);
});

const changed = {
  enabled: { disabled_at: null },
  disabled: { disabled_at: now, disabled_why: 'operator' },
  'other event': { action_id: 1 },
  deleted: { deleted_at: now },
} as const;

test.each<[state: DeliveryState, change: keyof typeof changed, then: DeliveryState]>([
  ['waiting', 'enabled', 'waiting'],
  ['paused', 'enabled', 'waiting'],
  ['exhausted', 'enabled', 'exhausted'],
  ['waiting', 'disabled', 'paused'],
  ['paused', 'disabled', 'paused'],
  ['exhausted', 'disabled', 'exhausted'],
  ['waiting', 'other event', 'canceled'],
  ['paused', 'other event', 'canceled'],
  ['exhausted', 'other event', 'canceled'],
  ['delivered', 'other event', 'delivered'],
  ['waiting', 'deleted', 'canceled'],
  ['paused', 'deleted', 'canceled'],
  ['exhausted', 'deleted', 'canceled'],
  ['delivered', 'deleted', 'delivered'],
])('a delivery that was %s is, after a change of its webhook to %s, %s', async (state, change, then) => {
  const { store, company, id, states } = await withDeliveries(state, 3);
  await store.write(async (db) => {
    await updateRow(db, 'webhooks', { company_id: company.id, id }, changed[change]);
    await unsettle(db, company.id, id);
  });
  await settle(store);
  expect(await states()).toBe(`3 ${then}`);
});

test('a webhook whose deliveries cannot follow does not keep those of others from following', async () => {
  const { store, company, id, change, states } = await withDeliveries();
  await change(disableWebhookForOperator);
  const other = await company.webhook({ entity_id: 2, action_id: 1, url: 'https://hooks.example.com/' });
  await store.write((db) => unsettle(db, company.id, other));
  let isFirst = true;
  const failing: Store = {
    ...store,
    async write(work, of) {
      if (!isFirst) return store.write(work, of);
      isFirst = false;
      throw new Error('The lock is taken.');
    },
  };
  const unsettled = async () => (await store.read(listUnsettled)).map((webhook) => webhook.id);
  await expect(settle(failing)).rejects.toThrow('The lock is taken.');
  expect(await unsettled()).toEqual([id]);
  await settle(failing);
  expect([await unsettled(), await states()]).toEqual([[], `${count} paused`]);
});
