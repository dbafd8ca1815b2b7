import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attempt } from '../../../server/delivery/attempt.ts';
import { type Claimed, claim } from '../../../server/delivery/claim.ts';
import { createDeliveryDispatcher } from '../../../server/delivery/dispatcher.ts';
import { allocateFairly, type Candidate, createRoundRobin } from '../../../server/delivery/fair-shares.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { startService } from '../../support/service.ts';
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
  const claimed = fc.array(fc.nat(20), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(candidates, fc.nat(60), claimed, (given, free, ofCompany) => {
      const shares = allocateFairly(given, free, (companyId) => ofCompany[companyId - 1] ?? 0);
      const left = free - count(shares);
      expect(left).toBeGreaterThanOrEqual(0);
      for (const { webhookId, share } of shares)
        expect(share).toBeLessThanOrEqual(given.find((one) => one.webhookId === webhookId)?.room ?? 0);
      const own = <Row extends { companyId: number }>(rows: readonly Row[], companyId: number) =>
        rows.filter((row) => row.companyId === companyId);
      for (const [at, before] of ofCompany.entries()) {
        const share = count(own(shares, at + 1));
        const wanted = own(given, at + 1).reduce((sum, { room }) => sum + room, 0);
        expect(share).toBeLessThanOrEqual(Math.max(0, Math.ceil((free - before) / 2)));
        if (share < wanted) expect(before + share).toBeGreaterThanOrEqual(left);
      }
    }),
    { numRuns: sampleCount(500), seed },
  );
});

test('gives companies equal shares, regardless of their number of webhooks, and leaves one for another', () => {
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
        const shares = allocateFairly(given, free, () => 0);
        expect(free - count(shares)).toBeGreaterThanOrEqual(Math.floor(free / (sizes.length + 1)));
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

const limits = { perWorker: 8, perCompany: 6, perWebhook: 4 };

/** Creates a dispatcher whose requests end when the test says so. */
async function startDispatcher() {
  const { company, serviceStore } = await startService();
  await company.webhook({ entity_id: 2, action_id: 1 });
  await company.contact({ first_name: 'A' });
  const { claimed } = await serviceStore.write((db) =>
    claim(db, {
      ...{ worker: 'w', now: Date.now(), until: Date.now() + 60_000, roundRobin: createRoundRobin() },
      ...{ maxDeliveries: 10, room: () => 10, claimedOf: () => 0 },
    }),
  );
  const [sample] = claimed;
  if (!sample) throw new Error('There is no delivery.');
  let sequence = 0;
  const sent: { claimed: Claimed; end: (result: Attempt | undefined) => void }[] = [];
  const released: Claimed[] = [];
  const dispatcher = createDeliveryDispatcher({
    limits,
    send: (given) => new Promise((end) => sent.push({ claimed: given, end })),
    record: async () => {},
    release: (unsent) => released.push(...unsent),
  });
  return {
    ...{ dispatcher, sent, released },
    dispatch(companyId: number, webhookId: number, count: number): void {
      const deliveries = Array.from({ length: count }, (): Claimed => {
        sequence += 1;
        return { ...sample, delivery: { ...sample.delivery, companyId, webhookId, sequence } };
      });
      dispatcher.dispatch(deliveries);
    },
    /** Ends the oldest request. */
    async end(status: number | undefined): Promise<void> {
      sent.shift()?.end(status === undefined ? undefined : { at: 0, ms: 0, status });
      await nextTurn();
    },
  };
}

test('a webhook may have one more request in flight after each success, and only one after a failure', async () => {
  const { dispatch, sent, released, end } = await startDispatcher();
  dispatch(1, 1, 20);
  const inFlight = [sent.length];
  for (const status of [200, 200, 200, 200, 500]) {
    await end(status);
    inFlight.push(sent.length);
  }
  // After the failure, the requests that have begun end, and the other deliveries are released.
  expect(inFlight).toEqual([1, 2, 3, 4, 4, 3]);
  expect(released).toHaveLength(20 - 8);
  for (const status of [500, 500, 500]) await end(status);
  dispatch(1, 1, 2);
  expect(sent).toHaveLength(1);
});

test('a company has no more requests in flight than its limit, and others start theirs', async () => {
  const { dispatch, sent, end } = await startDispatcher();
  for (let webhook = 1; webhook <= 9; webhook += 1) dispatch(1, webhook, 1);
  expect(sent).toHaveLength(limits.perCompany);
  for (let webhook = 11; webhook <= 13; webhook += 1) dispatch(2, webhook, 1);
  expect(sent).toHaveLength(limits.perWorker);
  await end(200);
  await end(200);
  expect(sent.map(({ claimed }) => claimed.delivery.companyId)).toEqual([1, 1, 1, 1, 2, 2, 1, 2]);
});

test('does not send a delivery that was released while it waited for its turn', async () => {
  const { dispatcher, dispatch, sent, released, end } = await startDispatcher();
  for (let webhook = 1; webhook <= limits.perCompany; webhook += 1) dispatch(1, webhook, 1);
  dispatch(1, 9, 1);
  dispatcher.withdraw([{ webhook_id: 9 }]);
  expect(released).toHaveLength(1);
  await end(200);
  expect(sent).toHaveLength(limits.perCompany - 1);
});

test('all capacity is free again once any sequence of requests has ended', async () => {
  const started = await startDispatcher();
  const step = fc.oneof(
    fc.record({ company: fc.integer({ min: 1, max: 3 }), webhook: fc.nat(3), count: fc.nat(5) }),
    fc.constantFrom(200, 500, undefined),
  );
  const { dispatcher, sent, dispatch, end } = started;
  const capacity = () => [dispatcher.free(), ...[1, 2, 3].map((company) => dispatcher.claimedOf(company))];
  const all = capacity();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      for (const each of steps)
        if (typeof each === 'object') dispatch(each.company, 10 * each.company + each.webhook, each.count);
        else await end(each);
      while (sent.length > 0) await end(200);
      expect([dispatcher.inFlight(), capacity()]).toEqual([0, all]);
    }),
    { numRuns: sampleCount(100), seed },
  );
});

/** How the receivers of a hostile company behave. Their backlog takes longer than the test waits. */
const hostile: [name: string, delayMs: number][] = [
  ['never respond', 600_000],
  ['respond after a second', 1_000],
];

test.each(hostile)(
  'webhooks of another company whose receivers %s do not stall a webhook on the same origin',
  async (_name, delayMs) => {
    const receiver = await startReceiver(({ url }, res) => {
      if (url === '/hostile') setTimeout(() => res.end(), delayMs).unref();
      else res.end();
    });
    const service = await startDeliveryService({
      worker: {
        limits: { perWorker: 32, perCompany: 16, perWebhook: 8 },
        shutdownTimeoutMs: 0,
      },
      sender: { callMs: 600_000 },
    });
    const { company, attempts, worker } = service;
    const other = await service.addCompany();
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
  const limits = { perWorker: 2, perCompany: 2, perWebhook: 2 };
  const service = await startDeliveryService({ worker: { limits } });
  const companies = [service.company];
  while (companies.length < 6) companies.push(await service.addCompany());
  for (const company of companies) {
    await company.webhook({ entity_id: 2, action_id: 1, url: `${receiver.url}${company.id}` });
    for (let times = 0; times < 20; times += 1) await company.contact();
  }
  begin();
  await until(() => receiver.calls.length === 120);
  await service.worker.stop();
  const served = Object.groupBy(receiver.calls.slice(0, 60), ({ url }) => url);
  const counts = Object.values(served).map((calls) => calls?.length ?? 0);
  expect(counts).toHaveLength(6);
  expect(Math.max(...counts) - Math.min(...counts), counts.join()).toBeLessThanOrEqual(4);
});
