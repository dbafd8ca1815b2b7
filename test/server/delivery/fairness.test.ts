import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBulkhead } from '../../../server/delivery/bulkhead.ts';
import { claim } from '../../../server/delivery/claim.ts';
import { createDeliveryDispatcher } from '../../../server/delivery/dispatcher.ts';
import { allocateFairly, type Candidate, createRoundRobin } from '../../../server/delivery/fair-shares.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { createCompany } from '../../support/service.ts';
import { startDeliveryService, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

const count = (shares: readonly { share: number }[]): number =>
  shares.reduce((sum, { share }) => sum + share, 0);

test('allocates all available capacity within the limits of each webhook, each company and the worker', () => {
  const candidates = fc.uniqueArray(
    fc.record({
      companyId: fc.integer({ min: 1, max: 5 }),
      webhookId: fc.integer({ min: 1, max: 40 }),
      room: fc.nat(8),
    }),
    { selector: ({ webhookId }) => webhookId, maxLength: 30 },
  );
  const companyRooms = fc.array(fc.nat(20), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(candidates, fc.nat(60), companyRooms, (given, free, rooms) => {
      const companyRoom = (companyId: number): number => rooms[companyId - 1] ?? 0;
      const shares = allocateFairly(given, free, companyRoom);
      for (const { webhookId, share } of shares)
        expect(share).toBeLessThanOrEqual(given.find((one) => one.webhookId === webhookId)?.room ?? 0);
      const own = <Row extends { companyId: number }>(rows: readonly Row[], companyId: number) =>
        rows.filter((row) => row.companyId === companyId);
      const takes = rooms.map((_, at) => {
        const wanted = own(given, at + 1).reduce((sum, { room }) => sum + room, 0);
        expect(count(own(shares, at + 1))).toBeLessThanOrEqual(companyRoom(at + 1));
        return Math.min(wanted, companyRoom(at + 1));
      });
      expect(count(shares)).toBe(
        Math.min(
          free,
          takes.reduce((sum, take) => sum + take, 0),
        ),
      );
    }),
    { numRuns: sampleCount(500), seed },
  );
});

test('gives companies with free capacity equal shares, regardless of their number of webhooks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 }),
      fc.nat(100),
      (sizes, free) => {
        const given: Candidate[] = sizes.flatMap((size, company) =>
          Array.from({ length: size }, (_, at) => ({
            companyId: company + 1,
            webhookId: 100 * company + at,
            room: 1_000,
          })),
        );
        const shares = allocateFairly(given, free, () => 1_000);
        const ofCompany = sizes.map((_, company) =>
          count(shares.filter(({ companyId }) => companyId === company + 1)),
        );
        expect(Math.max(...ofCompany) - Math.min(...ofCompany)).toBeLessThanOrEqual(1);
        for (const [company] of sizes.entries()) {
          const own = given
            .filter(({ companyId }) => companyId === company + 1)
            .map(({ webhookId }) => shares.find((one) => one.webhookId === webhookId)?.share ?? 0);
          expect(Math.max(...own) - Math.min(...own)).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: sampleCount(300), seed },
  );
});

const limits = { fast: 8, slow: 4, maxPerCompany: 3, maxPerWebhookAndOrigin: 4, slowAfterMs: 1 };
const target = (webhookId: number, companyId = webhookId, origin = `o${webhookId}`) => ({
  webhookId,
  companyId,
  origin,
});

test('a webhook may have one more request in flight after each success, and only one after a failure', () => {
  const bulkhead = createBulkhead(limits);
  const rooms = [bulkhead.windowRoom(1)];
  for (const success of [true, true, true, true, true, false, true]) {
    bulkhead.begin(target(1)).finish(success);
    rooms.push(bulkhead.windowRoom(1));
  }
  expect(rooms).toEqual([1, 2, 3, 4, 4, 4, 1, 2]);
});

test('a slow request frees its fast slot while slow slots are free', () => {
  const bulkhead = createBulkhead(limits);
  const requests = Array.from({ length: 6 }, (_, at) => bulkhead.begin(target(at)));
  expect(bulkhead.free()).toBe(2);
  for (const request of requests) for (let times = 0; times < 2; times += 1) request.markSlow();
  expect([bulkhead.free(), bulkhead.slow()]).toEqual([6, 4]);
  // One of the two requests that wait for a slow slot gets the freed slot.
  requests[0]?.finish(false);
  expect([bulkhead.free(), bulkhead.slow()]).toEqual([7, 4]);
  for (const request of requests.slice(1)) request.finish(false);
  expect([bulkhead.free(), bulkhead.slow()]).toEqual([8, 0]);
});

test('starts no more requests for a company at its limit of slow requests, but continues with other companies', () => {
  const bulkhead = createBulkhead(limits);
  const requests = Array.from({ length: 3 }, (_, at) => bulkhead.begin(target(at, 1)));
  for (const request of requests) request.markSlow();
  expect([bulkhead.isBlocked(1), bulkhead.isBlocked(2)]).toEqual([true, false]);
  requests[0]?.finish(true);
  expect(bulkhead.isBlocked(1)).toBe(false);
});

test('slow requests do not count toward the limit of their origin', () => {
  const bulkhead = createBulkhead(limits);
  const requests = Array.from({ length: 4 }, (_, at) => bulkhead.begin(target(at, at, 'shared')));
  expect(bulkhead.originRoom('shared')).toBe(0);
  for (const request of requests) request.markSlow();
  expect(bulkhead.originRoom('shared')).toBe(4);
  for (const request of requests) request.finish(false);
  expect(bulkhead.originRoom('shared')).toBe(4);
});

test('all slots are free again once any sequence of requests has finished', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ webhook: fc.nat(2), markSlow: fc.nat(2), success: fc.boolean() }), {
        maxLength: 40,
      }),
      (given) => {
        const bulkhead = createBulkhead(limits);
        const requests = given.map(({ webhook, ...rest }) => ({
          request: bulkhead.begin(target(webhook, 1, 'shared')),
          ...rest,
        }));
        for (const { request, markSlow } of requests)
          for (let times = 0; times < markSlow; times += 1) request.markSlow();
        for (const { request, success } of requests) request.finish(success);
        expect([
          bulkhead.free(),
          bulkhead.slow(),
          bulkhead.isBlocked(1),
          bulkhead.originRoom('shared'),
        ]).toEqual([limits.fast, 0, false, limits.maxPerWebhookAndOrigin]);
        for (const webhook of [0, 1, 2]) expect(bulkhead.windowRoom(webhook)).toBeGreaterThan(0);
      },
    ),
    { numRuns: sampleCount(300), seed },
  );
});

/** How the receivers of a hostile company behave. Their backlog takes longer than the test waits. */
const hostile: [name: string, delayMs: number, slowAfterMs: number][] = [
  ['never respond', 600_000, 250],
  ['respond just before they count as slow', 1_000, 1_500],
];

test.each(hostile)(
  'webhooks of another company whose receivers %s do not stall a webhook on the same origin',
  async (_name, delayMs, slowAfterMs) => {
    const receiver = await startReceiver(({ url }, res) => {
      if (url === '/hostile') setTimeout(() => res.end(), delayMs).unref();
      else res.end();
    });
    const service = await startDeliveryService({
      worker: {
        limits: { fast: 32, slow: 256, maxPerCompany: 64, maxPerWebhookAndOrigin: 8, slowAfterMs },
        shutdownTimeoutMs: 0,
      },
      sender: { callMs: 600_000 },
    });
    const { company, attempts, store, base, worker } = service;
    const other = await createCompany(store, base);
    for (let times = 0; times < 20; times += 1)
      await other.webhook({ entity_id: 2, action_id: 1, url: `${receiver.url}hostile` });
    for (let times = 0; times < 20; times += 1) await other.contact();
    await until(() => receiver.calls.length >= 8);
    const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: `${receiver.url}own` });
    for (let times = 0; times < 80; times += 1) await company.contact();
    await until(() => attempts.filter(({ webhookId }) => webhookId === webhook).length === 80);
    await worker.stop();
  },
);

test('a worker that is full serves all companies in turn', async () => {
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>();
  const receiver = await startReceiver((_call, res) => void ready.then(() => setTimeout(() => res.end(), 2)));
  const service = await startDeliveryService({
    worker: {
      limits: { fast: 2, slow: 1, maxPerCompany: 8, maxPerWebhookAndOrigin: 8, slowAfterMs: 60_000 },
    },
  });
  const { store, base, worker } = service;
  const companies = [service.company];
  while (companies.length < 6) companies.push(await createCompany(store, base));
  for (const company of companies) {
    await company.webhook({ entity_id: 2, action_id: 1, url: `${receiver.url}${company.id}` });
    for (let times = 0; times < 20; times += 1) await company.contact();
  }
  begin();
  await until(() => receiver.calls.length === 120);
  await worker.stop();
  const served = Object.groupBy(receiver.calls.slice(0, 60), ({ url }) => url);
  const counts = Object.values(served).map((calls) => calls?.length ?? 0);
  expect(counts).toHaveLength(6);
  expect(Math.max(...counts) - Math.min(...counts), counts.join()).toBeLessThanOrEqual(4);
});

test('a request that has ended takes no capacity while its outcome waits to be stored', async () => {
  const { company, serviceStore } = await startDeliveryService({ worker: { pollMs: 3_600_000 } });
  const { api } = await company.token();
  await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: 'http://127.0.0.1:9/' });
  for (let each = 0; each < 3; each += 1) await company.contact({ first_name: 'A' });
  const { claimed } = await serviceStore.write((db) =>
    claim(db, {
      ...{ worker: 'w', now: Date.now(), until: Date.now() + 60_000, roundRobin: createRoundRobin() },
      ...{ maxDeliveries: 10, room: () => 10, companyRoom: () => 10 },
    }),
  );
  const dispatcher = createDeliveryDispatcher({
    limits,
    send: async () => ({ at: 0, ms: 0, status: 204 }),
    record: async () => {},
    release: () => {},
  });
  const capacity = () => [dispatcher.free(), dispatcher.companyRoom(company.id)];
  const all = capacity();
  dispatcher.dispatch(claimed);
  expect(capacity()).not.toEqual(all);
  await until(() => dispatcher.inFlight() === 0);
  expect(capacity()).toEqual(all);
  expect(dispatcher.claimedKeys()).toHaveLength(3);
});
