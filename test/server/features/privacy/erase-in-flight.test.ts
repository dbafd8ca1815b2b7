import { expect, test } from 'vitest';
import { eraseCompany } from '../../../../server/features/privacy/erase-company.ts';
import { eraseContact } from '../../../../server/features/privacy/erase-contact.ts';
import { eraseExpired } from '../../../../server/features/privacy/retention.ts';
import { leaseDeliveries, renewLeases } from '../../../../server/storage/queries/delivery-queue.ts';
import { eraseDeliveries } from '../../../../server/storage/queries/revoked-deliveries.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { type Company, startService } from '../../../support/service.ts';
import { startWebhook, startWhileConnecting, until } from '../../delivery/delivery-service.ts';
import { allRows } from './traceable-contact.ts';

const leases = (store: Store) =>
  store.read((db) =>
    db.selectFrom('deliveries').select(['state', 'data_id']).where('leased_by', 'is not', null).execute(),
  );

const payloads = (store: Store) =>
  store.read((db) => db.selectFrom('delivery_payloads').select('sequence').execute());

/** Erases a contact, or the whole company, with a command. */
const erase = (company: Company, kind: 'contact' | 'company', contact: number) =>
  kind === 'contact'
    ? company.run(`contact erase --contact ${contact}`)
    : company.run('company erase', '--name', 'A company');

test.each(['contact', 'company'] as const)(
  'sends nothing after the erasure of a %s, whose delivery was claimed before',
  async (kind) => {
    const { store, contact, company, connect, receiver } = await startWhileConnecting();
    const erasing = erase(company, kind, contact);
    await until(async () => (await payloads(store)).length === 0);
    await connect();
    await erasing;
    expect(receiver.calls).toEqual([]);
    expect(await allRows(store)).not.toContain('Zyxw');
  },
);

// Otherwise an erasure fails if the worker is killed after a renewal (found by the simulator with seed 21617).
test('the lease of an erased delivery is not renewed, and that of another is', async () => {
  const { store, company } = await startService();
  const webhookId = await company.webhook({ entity_id: 2, action_id: 1 });
  const [erased] = [await company.contact(), await company.contact()];
  const keys = [1, 2].map((sequence) => ({ companyId: company.id, webhookId, sequence }));
  await store.write(async (db) => {
    await leaseDeliveries(db, keys, { worker: 'one', until: 1_000 });
    await eraseDeliveries(db, company.id, 'contacts', [erased]);
    await renewLeases(db, keys, { worker: 'one', until: 9_000 });
  });
  const rows = store.read((db) =>
    db.selectFrom('deliveries').select('leased_until').orderBy('sequence').execute(),
  );
  expect((await rows).map(({ leased_until }) => leased_until)).toEqual([1_000, 9_000]);
});

/**
 * Erases a contact whose delivery a worker has claimed in advance: of a webhook with two hanging requests in flight, the
 * last of several deliveries.
 */
async function eraseClaimedInAdvance(leaseMs: number, contacts: number) {
  let hangs = false;
  const hanging: (() => void)[] = [];
  const limits = { perWorker: 64, perCompany: 64, perWebhook: 2 };
  const service = await startWebhook(
    (_call, res) => {
      if (hangs) hanging.push(() => res.end());
      else res.end();
    },
    { worker: { leaseMs, limits } },
  );
  const { company, store, receiver } = service;
  // After a success, two requests may be in flight, and more deliveries are claimed.
  await service.attempt();
  hangs = true;
  const ids: number[] = [];
  for (let at = 0; at < contacts; at += 1) ids.push(await company.contact({ first_name: `Zyxw${at}.` }));
  await until(async () => hanging.length === 2 && (await leases(store)).length === contacts);
  const last = ids.at(-1) ?? 0;
  await erase(company, 'contact', last);
  hangs = false;
  const sentIds = () => receiver.calls.map(({ body }) => JSON.parse(body).data.id);
  return { ...service, last, sentIds, endAll: () => hanging.forEach((end) => void end()) };
}

test('an erasure does not wait for a hanging receiver if the request of its delivery has not begun', async () => {
  // Revoked claims are noticed when leases are renewed, twice per lease.
  const { store, attempts, last, sentIds, endAll } = await eraseClaimedInAdvance(200, 6);
  expect(sentIds()).toHaveLength(3);
  expect(await allRows(store)).not.toContain('Zyxw5.');
  endAll();
  await until(() => attempts.length === 6);
  expect([sentIds().length, sentIds().includes(last)]).toEqual([6, false]);
});

test.each(['contact', 'company'] as const)(
  'the erasure of a %s waits for a request in flight whose webhook was deleted',
  async (kind) => {
    const hanging: (() => void)[] = [];
    const { api, company, store, webhook } = await startWebhook(
      (_call, res) => void hanging.push(() => res.end()),
    );
    const id = await company.contact({ first_name: 'Zyxw' });
    await until(() => hanging.length === 1);
    expect((await api.deleteWebhook(webhook)).status).toBe(200);
    let hasEnded = false;
    const erasing = erase(company, kind, id).finally(() => {
      hasEnded = true;
    });
    await until(async () => (await payloads(store)).length === 0);
    expect([hasEnded, await leases(store)]).toEqual([false, [{ state: 'ended', data_id: id }]]);
    hanging[0]?.();
    await erasing;
    expect(await leases(store)).toEqual([]);
  },
);

test.each([
  { name: 'ends', leaseMs: 10_000, error: undefined },
  { name: 'fails', leaseMs: 60_000, error: /may still be in flight: .* 1 deliveries within 20 s/ },
])('an erasure $name after 20 s if a worker holds a lease of $leaseMs ms', async ({ leaseMs, error }) => {
  const { company, store, now, database } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  const id = await company.contact({ first_name: 'Zyxw' });
  const at = now();
  // The claim of a worker that was killed, or that does not end its request.
  await database.executeSql(`update deliveries set leased_by = 'w', leased_until = ${at + leaseMs}`);
  let waitedMs = 0;
  const reports: number[] = [];
  const erasing = eraseContact(store, company.id, id, {
    now: at,
    onWaiting: (deliveries) => void reports.push(deliveries),
    pause: async (ms) => {
      waitedMs += ms;
    },
  });
  if (error) await expect(erasing).rejects.toThrow(error);
  else await erasing;
  expect([waitedMs, new Set(reports)]).toEqual([20_000, new Set([1])]);
  expect(await allRows(store)).not.toContain('Zyxw');
  expect(await leases(store)).toHaveLength(error ? 1 : 0);
});

const dayMs = 86_400_000;

/** Cancels one delivery after another, each while a worker sends it, so that at each time one is in flight. */
async function startCanceling() {
  const { company, store, now, database } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  const ids: number[] = [];
  for (let at = 0; at < 4; at += 1) ids.push(await company.contact());
  const end = now() + 30 * dayMs;
  let turns = 0;
  const cancelNext = async () => {
    const sequence = 1 + (turns % 3);
    turns += 1;
    await database.executeSql(`update deliveries set leased_by = null, leased_until = null;
      update deliveries set leased_by = 'w', leased_until = ${end}, state = 'ended' where sequence = ${sequence}`);
  };
  await cancelNext();
  return { company, store, now, contact: ids.at(-1) ?? 0, cancelNext, turns: () => turns };
}

test('an erasure does not wait for deliveries that are canceled after it', async () => {
  const { company, store, now, contact, cancelNext, turns } = await startCanceling();
  await eraseContact(store, company.id, contact, { now: now(), pause: cancelNext });
  expect(turns()).toBe(2);
});

test('the end of a retention period does not depend on deliveries that a company has canceled', async () => {
  const { company, store, now, contact } = await startCanceling();
  await company.run(`contact delete --contact ${contact}`);
  const keep = { retentionDeletedDays: 1, retentionClosedDays: null };
  expect(await eraseExpired(store, keep, now() + 2 * dayMs)).toMatchObject({ contacts: 1 });
});

test('an erasure ends although a worker with long leases has claimed the delivery in advance', async () => {
  const { last, sentIds, endAll } = await eraseClaimedInAdvance(3_600_000, 12);
  expect(sentIds()).not.toContain(last);
  endAll();
});

test('a replay sends nothing of a contact whose erasure was interrupted', async () => {
  const hanging: (() => void)[] = [];
  const { company, store, webhook } = await startWebhook((_call, res) => void hanging.push(() => res.end()));
  const id = await company.contact();
  await until(() => hanging.length === 1);
  const pause = () => Promise.reject(new Error('interrupted'));
  await expect(eraseContact(store, company.id, id, { now: Date.now(), pause })).rejects.toThrow(
    'interrupted',
  );
  hanging[0]?.();
  await until(async () => (await leases(store)).length === 0);
  expect(await company.run(`delivery replay --webhook ${webhook}`)).toEqual({ replayed: 0 });
});

test('the erasure of a company publishes no event of a change by the operator', async () => {
  const { company, store } = await startService();
  await company.webhook({ entity_id: 2, action_id: 3 });
  const id = await company.contact();
  let deleting: Promise<unknown> | undefined;
  // The erasure reads for the first time when it has erased the deliveries, to find out whether any are left.
  const read: Store['read'] = async (work) => {
    const result = await store.read(work);
    deleting ??= company.run(`contact delete --contact ${id}`);
    await deleting;
    return result;
  };
  await eraseCompany({ ...store, read }, company.id, { now: Date.now(), onProgress: () => {} });
  expect(deleting).toBeDefined();
  expect(await allRows(store)).not.toContain('contact.deleted');
});
