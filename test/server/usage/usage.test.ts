import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Store } from '../../../server/storage/store.ts';
import { startUsageCounter } from '../../../server/usage/usage-counter.ts';
import { startService } from '../../support/service.ts';
import { serviceAndWorker } from '../delivery/delivery-processes.ts';
import { createProcessCompany } from '../delivery/process-company.ts';
import { createCli } from '../operator/cli.ts';

const dayMs = 86_400_000;

test('company usage counts the requests and webhook requests of an API process and a worker', async () => {
  const processes = await serviceAndWorker();
  await processes.start('api');
  await processes.start('worker');
  const { api, receiver } = await createProcessCompany(processes);
  for (const first_name of ['Ada', 'Bea']) await api.createContact({ first_name });
  expect((await api.getContact(999)).status).toBe(404);
  await expect.poll(() => receiver.calls.length).toBe(2);
  await wait(200);
  await processes.end('api');
  await processes.end('worker');
  const cli = createCli(processes.database.url);
  const { companies } = JSON.parse((await cli('company', 'usage', '--json')).out);
  expect(companies).toEqual([
    {
      id: 1,
      name: 'A',
      requests: 4,
      webhook_requests: 2,
      contacts: 2,
      conversations: 0,
      messages: 0,
      deliveries: 2,
      stored_bytes: expect.any(Number),
    },
  ]);
  expect(companies[0].stored_bytes).toBeGreaterThan(500);
  expect(JSON.parse((await cli('company', 'usage', '--to', '2020-01-01', '--json')).out)).toMatchObject({
    to: '2020-01-01',
    companies: [{ requests: 0, contacts: 2 }],
  });
});

test('counts of several processes and days add up, and a period selects days', async () => {
  const { store, database, company } = await startService();
  const clock = { now: Date.UTC(2026, 10, 24, 23, 59) };
  const options = { now: () => clock.now, onError: (error: unknown) => expect.unreachable(String(error)) };
  const counters = Array.from({ length: 3 }, () => startUsageCounter(store, options));
  for (const counter of counters) for (let id = 1; id <= 20; id += 1) counter.countRequest(id);
  clock.now += dayMs / 2;
  for (const counter of counters) {
    counter.countRequest(company.id);
    counter.countWebhookRequest(company.id);
  }
  await Promise.all(counters.map(({ stop }) => stop()));
  const usageOf = async (...period: string[]) => {
    const { out } = await createCli(database.url)('company', 'usage', ...period, '--json');
    return JSON.parse(out).companies;
  };
  const own = ['--company', String(company.id), '--from', '2026-11-24', '--to'];
  expect(await usageOf(...own, '2026-11-26')).toMatchObject([{ requests: 6, webhook_requests: 3 }]);
  expect(await usageOf(...own, '2026-11-25')).toMatchObject([{ requests: 3, webhook_requests: 0 }]);
  const all = await usageOf('--from', '2026-11-24', '--to', '2026-11-26');
  expect(all[0]).toMatchObject({ id: company.id, name: expect.any(String) });
  // The other companies were erased, or never existed.
  expect(all.slice(1)).toHaveLength(19);
  for (const each of all.slice(1)) expect(each).toMatchObject({ name: null, requests: 3, contacts: 0 });
});

test('counts that could not be added are added later, and reported once', async () => {
  const { store, database, company } = await startService();
  const errors: unknown[] = [];
  let isAvailable = false;
  const unreliable: Pick<Store, 'write'> = {
    write: (...args) => (isAvailable ? store.write(...args) : Promise.reject(new Error('unavailable'))),
  };
  const counter = startUsageCounter(unreliable, {
    now: Date.now,
    onError: (error) => void errors.push(error),
  });
  counter.countRequest(company.id);
  await counter.stop();
  counter.countRequest(company.id);
  await counter.stop();
  isAvailable = true;
  await counter.stop();
  await counter.stop();
  expect(errors).toHaveLength(1);
  const { out } = await createCli(database.url)('company', 'usage', '--json');
  expect(JSON.parse(out).companies).toMatchObject([{ requests: 2 }]);
});
