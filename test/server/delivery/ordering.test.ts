import { expect, test } from 'vitest';
import { retryDelays } from '../../../server/delivery/outcome.ts';
import { startDeliveryService, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

test('a due retry waits for a newer in-flight delivery of its contact, without delaying other contacts', async () => {
  const clock = { now: Date.UTC(2026, 0, 5) };
  const open: (() => void)[] = [];
  const receiver = await startReceiver(({ body }, res) => {
    const { sequence } = JSON.parse(body).meta;
    if (sequence === 1 && open.length === 0) res.writeHead(500).end();
    else if (sequence === 4) open.push(() => res.end());
    else res.end();
  });
  const { api, company, attempts, worker } = await startDeliveryService({ now: () => clock.now });
  const rename = async (id: number, first_name: string) => {
    const { body } = await api.getContact(id);
    await api.updateContact(id, { ...body, first_name });
  };
  const ada = await company.contact({ first_name: 'Ada' });
  const bob = await company.contact({ first_name: 'Bob' });
  await company.webhook({ entity_id: 2, action_id: 2, url: receiver.url });
  await rename(ada, 'Ada 1');
  await until(() => attempts.length === 1);
  // Two successes raise the limit of requests in flight to three, so that only the ordering delays the retry.
  for (const name of ['Bob 1', 'Bob 2']) {
    await rename(bob, name);
    await until(() => attempts.length === Number(name.at(-1)) + 1);
  }
  await rename(ada, 'Ada 2');
  await until(() => open.length === 1);
  clock.now += retryDelays[1];
  worker.wake();
  await rename(bob, 'Bob 3');
  await until(() => attempts.length === 4);
  expect(receiver.calls).toHaveLength(5);
  open[0]?.();
  await until(() => attempts.length === 6);
  expect(attempts.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 5, 4, 1]);
});

test('sends waiting deliveries to the new URL with the new method after a webhook update', async () => {
  const old = await startReceiver((_call, res) => res.writeHead(500).end());
  const fresh = await startReceiver();
  const clock = { now: Date.UTC(2026, 0, 5) };
  const { api, company, attempts, worker } = await startDeliveryService({ now: () => clock.now });
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: old.url });
  await company.contact();
  await until(() => attempts.length === 1);
  await api.updateWebhook(webhook, { verb_id: 1, entity_id: 2, action_id: 1, url: `${fresh.url}new` });
  clock.now += retryDelays[1];
  worker.wake();
  await until(() => attempts.length === 2);
  expect([old.calls.length, fresh.calls.length]).toEqual([1, 1]);
  expect(fresh.calls[0]).toMatchObject({ method: 'GET', url: expect.stringMatching(/^\/new\?payload=/) });
  expect(fresh.calls[0]?.headers['webhook-id']).toBe(old.calls[0]?.headers['webhook-id']);
});
