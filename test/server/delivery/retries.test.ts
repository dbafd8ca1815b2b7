import { expect, test } from 'vitest';
import { failureToleranceMs, retryDelays } from '../../../server/delivery/outcome.ts';
import { startDeliveryService, until } from './delivery-service.ts';
import { type ReceiverHandler, startReceiver } from './webhook-receiver.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const began = Date.UTC(2026, 0, 5);

/** Starts a service with a clock that only the test moves. */
async function underClock(respond: ReceiverHandler, options: { random?: () => number } = {}) {
  const clock = { now: began };
  const receiver = await startReceiver(respond);
  const service = await startDeliveryService({ now: () => clock.now, worker: options });
  const { company, worker, attempts } = service;
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  const delivery = async (sequence = 1) => {
    const found = (await company.events(webhook)).find((row) => row.sequence === sequence);
    if (!found) throw new Error(`There is no delivery ${sequence}.`);
    return found;
  };
  /** Moves the clock to the due time, and waits for the attempt. */
  const nextAttempt = async (sequence = 1) => {
    const { due_at } = await delivery(sequence);
    const before = attempts.length;
    clock.now = due_at ?? clock.now;
    worker.wake();
    await until(() => attempts.length > before);
    return clock.now;
  };
  return { ...service, clock, receiver, webhook, delivery, nextAttempt };
}

const failing =
  (status: number, headers: Record<string, string> = {}): ReceiverHandler =>
  (_call, res) =>
    res.writeHead(status, headers).end();

test.each([
  [0.5, 1],
  [0, 0.8],
  [1, 1.2],
])(
  'with a random value of %s, each delay is %s times the scheduled one, and the last failure exhausts the delivery',
  async (chance, factor) => {
    const { company, attempts, nextAttempt, delivery, clock, worker, receiver } = await underClock(
      failing(500),
      {
        random: () => chance,
      },
    );
    await company.contact();
    await until(() => attempts.length === 1);
    const timestamps = [clock.now];
    while ((await delivery()).state === 'waiting') timestamps.push(await nextAttempt());
    const steps = timestamps.slice(1).map((timestamp, at) => timestamp - (timestamps[at] ?? 0));
    expect(steps).toEqual(retryDelays.slice(1).map((step) => Math.round(step * factor)));
    expect(await delivery()).toMatchObject({
      state: 'exhausted',
      attempts: retryDelays.length,
      due_at: null,
    });
    expect(JSON.parse((await delivery()).log)).toHaveLength(retryDelays.length);

    clock.now += 80 * day;
    worker.wake();
    await company.contact();
    await until(() => attempts.length > retryDelays.length);
    expect(receiver.calls.filter(({ headers }) => String(headers['webhook-id']).endsWith('_1'))).toHaveLength(
      retryDelays.length,
    );
  },
);

test.each([
  ['503 with a wish of ten minutes', 503, { 'retry-after': '600' }, 10 * minute],
  ['503 with a wish that is shorter than the step', 503, { 'retry-after': '1' }, retryDelays[1]],
  ['503 with a wish of a month', 503, { 'retry-after': '2592000' }, 24 * hour],
  ['503 with a date', 503, { 'retry-after': new Date(began + 2 * hour).toUTCString() }, 2 * hour],
  ['503 with nonsense', 503, { 'retry-after': 'soon' }, retryDelays[1]],
  ['429', 429, {}, minute],
  ['502', 502, {}, minute],
  ['504', 504, {}, minute],
  ['400', 400, {}, retryDelays[1]],
  ['304', 304, {}, retryDelays[1]],
])('after %s, the next attempt waits for the documented delay', async (_what, status, headers, wait) => {
  const { company, attempts, delivery } = await underClock(failing(status, headers));
  await company.contact();
  await until(() => attempts.length === 1);
  expect(await delivery()).toMatchObject({ state: 'waiting', due_at: began + wait });
});

test('a URL that times out is retried after at least a minute', async () => {
  const { company, attempts, delivery } = await (async () => {
    const clock = { now: began };
    const receiver = await startReceiver(() => {});
    const service = await startDeliveryService({ now: () => clock.now, sender: { callMs: 200 } });
    const webhook = await service.company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
    return { ...service, delivery: async () => (await service.company.events(webhook))[0] };
  })();
  await company.contact();
  await until(() => attempts.length === 1);
  expect(await delivery()).toMatchObject({ state: 'waiting', due_at: began + minute });
});

test('retries a failed delivery with the same ID until it succeeds', async () => {
  let responses = 0;
  const { company, attempts, nextAttempt, delivery, receiver } = await underClock((_call, res) => {
    responses += 1;
    res.writeHead(responses < 3 ? 500 : 204).end();
  });
  await company.contact();
  await until(() => attempts.length === 1);
  await nextAttempt();
  await nextAttempt();
  expect(await delivery()).toMatchObject({ state: 'delivered', attempts: 3, due_at: null });
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
  // The timestamp is the time of the request, not of the event, because receivers reject old timestamps.
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
  const log = JSON.parse((await delivery()).log);
  expect(log.map(({ status }: { status: number }) => status)).toEqual([500, 500, 204]);
});

test('disables a webhook that fails longer than all retries, and sends its paused deliveries once it is enabled', async () => {
  let healthy = false;
  const service = await underClock((_call, res) => res.writeHead(healthy ? 200 : 500).end());
  const { api, company, store, attempts, nextAttempt, delivery, clock, webhook, receiver } = service;
  const row = () =>
    store.read((db) =>
      db.selectFrom('webhooks').selectAll().where('id', '=', webhook).executeTakeFirstOrThrow(),
    );
  await company.contact();
  await until(() => attempts.length === 1);
  expect(await row()).toMatchObject({ failing_since: began, disabled_at: null });
  while ((await delivery()).state === 'waiting') await nextAttempt();
  expect(await row()).toMatchObject({ failing_since: began, disabled_at: null });

  clock.now = began + failureToleranceMs - 1;
  await company.contact();
  await until(() => attempts.length > retryDelays.length);
  expect(await row()).toMatchObject({ disabled_at: null });
  const disabledAt = await nextAttempt(2);
  expect(await row()).toMatchObject({ disabled_at: disabledAt, disabled_why: 'failing' });
  await company.contact();
  expect(await delivery(2)).toMatchObject({ state: 'paused', due_at: null });
  expect(await delivery(3)).toMatchObject({ state: 'paused', due_at: null, attempts: 0 });

  healthy = true;
  clock.now += day;
  const sent = receiver.calls.length;
  expect(
    (await api.updateWebhook(webhook, { verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url })).status,
  ).toBe(200);
  await until(() => receiver.calls.length === sent + 2);
  await until(async () => (await delivery(3)).state === 'delivered');
  expect(await row()).toMatchObject({ failing_since: null, disabled_at: null, disabled_why: null });
  expect(await delivery(1)).toMatchObject({ state: 'exhausted' });
});

test('one success restarts the period of failures after which a webhook is disabled', async () => {
  let healthy = false;
  const { company, store, attempts, clock, webhook } = await underClock((_call, res) => {
    res.writeHead(healthy ? 200 : 500).end();
  });
  const failingSince = async () =>
    (
      await store.read((db) =>
        db.selectFrom('webhooks').selectAll().where('id', '=', webhook).executeTakeFirstOrThrow(),
      )
    ).failing_since;
  await company.contact();
  await until(() => attempts.length === 1);
  clock.now += retryDelays[1] - second;
  healthy = true;
  await company.contact();
  await until(() => attempts.length === 2);
  expect(await failingSince()).toBe(null);
  healthy = false;
  clock.now += second;
  await until(() => attempts.length === 3);
  expect(await failingSince()).toBe(clock.now);
});

test('enabling a webhook marks its paused deliveries older than 30 days as exhausted', async () => {
  let gone = true;
  const { api, company, attempts, clock, webhook, delivery, receiver } = await underClock((_call, res) => {
    res.writeHead(gone ? 410 : 200).end();
  });
  await company.contact();
  await until(() => attempts.length === 1);
  expect(attempts).toMatchObject([{ state: 'paused', disabled: 'gone' }]);
  clock.now += 2 * day;
  await company.contact();
  gone = false;
  clock.now = began + 30 * day + 1;
  await api.updateWebhook(webhook, { verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  await until(() => attempts.length === 2);
  expect(await delivery(1)).toMatchObject({ state: 'exhausted' });
  expect(await delivery(2)).toMatchObject({ state: 'delivered' });
});
