import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLanes } from '../../server/delivery/lanes.ts';
import { type Candidate, sharesOf } from '../../server/delivery/shares.ts';
import { runs, seed } from '../sample.ts';
import { makeCompany } from '../service.ts';
import { startDelivering, until } from './delivering.ts';
import { startReceiver } from './receiver.ts';

const candidates = fc.uniqueArray(
  fc.record({
    companyId: fc.integer({ min: 1, max: 5 }),
    webhookId: fc.integer({ min: 1, max: 40 }),
    address: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  }),
  { selector: ({ webhookId }) => webhookId, maxLength: 30 },
);

const count = (shares: readonly { share: number }[]): number =>
  shares.reduce((sum, { share }) => sum + share, 0);

test('no place is left free while an address takes more, and none is given beyond what it takes', () => {
  fc.assert(
    fc.property(
      candidates,
      fc.nat(60),
      fc.array(fc.nat(8), { minLength: 6, maxLength: 6 }),
      (given, free, rooms) => {
        const room = (address: string): number => rooms['abcdef'.indexOf(address)] ?? 0;
        const shares = sharesOf(given, free, room);
        const addresses = [...new Set(given.map(({ address }) => address))];
        const at = (address: string): number =>
          count(
            shares.filter(({ webhookId }) =>
              given.some((one) => one.webhookId === webhookId && one.address === address),
            ),
          );
        for (const address of addresses) expect(at(address)).toBeLessThanOrEqual(room(address));
        const most = addresses.reduce((sum, address) => sum + room(address), 0);
        expect(count(shares)).toBe(Math.min(free, most));
      },
    ),
    { numRuns: runs(500), seed },
  );
});

test('where addresses take enough, companies get the same, whatever the number of their webhooks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 }),
      fc.nat(100),
      (sizes, free) => {
        const given: Candidate[] = sizes.flatMap((size, company) =>
          Array.from({ length: size }, (_, at) => ({
            companyId: company + 1,
            webhookId: 100 * company + at,
            address: 'a',
          })),
        );
        const shares = sharesOf(given, free, () => 1_000);
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
    { numRuns: runs(300), seed },
  );
});

const limits = { fast: 8, slow: 4, slowEach: 3, each: 4, patienceMs: 1 };

test('an address begins with one call, gets more with each success, and one again after a failure', () => {
  const lanes = createLanes(limits);
  const call = (success: boolean) => lanes.begin('a', 1).over(success);
  const rooms = [lanes.room('a')];
  for (const success of [true, true, true, true, true, false, true]) {
    call(success);
    rooms.push(lanes.room('a'));
  }
  expect(rooms).toEqual([1, 2, 3, 4, 4, 4, 1, 2]);
});

test('a call that lasts gives its place to the quick ones, as long as there is one beside them', () => {
  const lanes = createLanes(limits);
  const calls = Array.from({ length: 6 }, (_, at) => lanes.begin(`a${at}`, at));
  expect(lanes.free()).toBe(2);
  for (const call of calls) for (let times = 0; times < 2; times += 1) call.lasts();
  expect([lanes.free(), lanes.slow()]).toEqual([6, 4]);
  // Whoever waits for such a place gets the next one.
  calls[0]?.over(false);
  expect([lanes.free(), lanes.slow()]).toEqual([7, 4]);
  for (const call of calls.slice(1)) call.over(false);
  expect([lanes.free(), lanes.slow()]).toEqual([8, 0]);
});

test('a company whose calls last begins no others beyond its part, and other companies do', () => {
  const lanes = createLanes(limits);
  const calls = Array.from({ length: 3 }, (_, at) => lanes.begin(`a${at}`, 1));
  for (const call of calls) call.lasts();
  expect([lanes.isHeld(1), lanes.isHeld(2)]).toEqual([true, false]);
  calls[0]?.over(true);
  expect(lanes.isHeld(1)).toBe(false);
});

test('whatever happens to calls, in the end every place is free again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), lasts: fc.nat(2), success: fc.boolean() }), {
        maxLength: 40,
      }),
      (given) => {
        const lanes = createLanes(limits);
        const calls = given.map(({ name, ...rest }) => ({ call: lanes.begin(name, 1), ...rest }));
        for (const { call, lasts } of calls) for (let times = 0; times < lasts; times += 1) call.lasts();
        for (const { call, success } of calls) call.over(success);
        expect([lanes.free(), lanes.slow(), lanes.isHeld(1)]).toEqual([limits.fast, 0, false]);
        for (const name of ['a', 'b', 'c']) expect(lanes.room(name)).toBeGreaterThan(0);
      },
    ),
    { numRuns: runs(300), seed },
  );
});

test('addresses that hang hold back only themselves, more of them than there are places', async () => {
  const hanging = await startReceiver(() => {}, { host: '0.0.0.0' });
  const healthy = await startReceiver(undefined, { host: '0.0.0.0' });
  const service = await startDelivering({
    worker: { limits: { fast: 4, slow: 64, slowEach: 64, each: 4, patienceMs: 20 }, graceMs: 0 },
    sender: { callMs: 60_000 },
  });
  const { company, attempts } = service;
  // Each on an address of its own, all of them on this machine.
  for (let number = 1; number <= 12; number += 1)
    await company.webhook({ entity_id: 2, action_id: 1, url: `http://127.0.1.${number}:${hanging.port}/` });
  const good = await company.webhook({
    entity_id: 2,
    action_id: 1,
    url: `http://127.0.2.1:${healthy.port}/`,
  });
  for (let times = 0; times < 5; times += 1) await company.contact();
  await until(() => attempts.filter(({ webhookId }) => webhookId === good).length === 5);
  expect(attempts).toHaveLength(5);
  expect(hanging.calls.length).toBeGreaterThan(4);
  await service.worker.stop();
}, 60_000);

test('a company with a great backlog does not keep another one waiting', async () => {
  const slow = await startReceiver((_call, res) => void setTimeout(() => res.end(), 5));
  const service = await startDelivering({
    worker: { limits: { fast: 4, slow: 8, slowEach: 8, each: 4, patienceMs: 1_000 } },
  });
  const { company, attempts, store, base } = service;
  const other = await makeCompany(store, base);
  await company.webhook({ entity_id: 2, action_id: 1, url: slow.url });
  const theirs = await other.webhook({
    entity_id: 2,
    action_id: 1,
    url: slow.url.replace('127.0.0.1', 'localhost'),
  });
  void theirs;
  await Promise.all(Array.from({ length: 200 }, () => company.contact()));
  const before = attempts.length;
  await other.contact();
  await until(() => attempts.some(({ companyId }) => companyId === other.id));
  const passed = attempts.findIndex(({ companyId }) => companyId === other.id) - before;
  expect(passed).toBeLessThan(20);
}, 60_000);
