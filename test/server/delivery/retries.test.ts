import { expect, test } from 'vitest';
import { failureToleranceMs, retryDelays } from '../../../server/delivery/outcome.ts';
import { startWebhook, until, type WebhookOptions } from './delivery-service.ts';
import type { ReceiverHandler } from './webhook-receiver.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const began = Date.UTC(2026, 0, 5);

/** Starts a webhook with a clock that only the test moves. */
async function underClock(respond: ReceiverHandler, options: WebhookOptions = {}) {
  const service = await startWebhook(respond, { startAt: began, ...options });
  const { attempts, clock, delivery, worker } = service;
  /** Moves the clock to the due time, and waits for the attempt. */
  const nextAttempt = async (sequence = 1) => {
    const { due_at } = await delivery(sequence);
    const before = attempts.length;
    clock.now = due_at ?? clock.now;
    worker.wake();
    await until(() => attempts.length > before);
    return clock.now;
  };
  return { ...service, nextAttempt };
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
    const { attempt, nextAttempt, delivery, clock, receiver } = await underClock(failing(500), {
      worker: { random: () => chance },
    });
    await attempt();
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
    await attempt();
    expect(receiver.calls.filter(({ headers }) => String(headers['webhook-id']).endsWith('_1'))).toHaveLength(
      retryDelays.length,
    );
  },
);

test.each([
  ['503 with a wish of ten minutes', 503, { 'retry-after': '600' }, 10 * minute],
  ['503 with a wish that is shorter than the step', 503, { 'retry-after': '1' }, retryDelays[1]],
  ['503 with a wish of a month', 503, { 'retry-after': '2592000' }, 24 * hour],
  ['429', 429, {}, minute],
  ['502', 502, {}, minute],
  ['504', 504, {}, minute],
  ['400', 400, {}, retryDelays[1]],
])('after %s, the next attempt waits for the documented delay', async (_what, status, headers, wait) => {
  const { attempt, delivery } = await underClock(failing(status, headers));
  await attempt();
  expect(await delivery()).toMatchObject({ state: 'waiting', due_at: began + wait });
});

test('a URL that times out is retried after at least a minute', async () => {
  const { attempt, delivery } = await underClock(() => {}, { sender: { callMs: 200 } });
  await attempt();
  expect(await delivery()).toMatchObject({ state: 'waiting', due_at: began + minute });
});

test('retries a failed delivery with the same ID until it succeeds', async () => {
  let responses = 0;
  const { attempt, nextAttempt, delivery, receiver } = await underClock((_call, res) => {
    responses += 1;
    res.writeHead(responses < 3 ? 500 : 204).end();
  });
  await attempt();
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
  const { company, attempt, nextAttempt, delivery, clock, receiver, row, update } = service;
  await attempt();
  expect(await row()).toMatchObject({ failing_since: began, disabled_at: null });
  while ((await delivery()).state === 'waiting') await nextAttempt();
  expect(await row()).toMatchObject({ failing_since: began, disabled_at: null });

  clock.now = began + failureToleranceMs - 1;
  await attempt();
  expect(await row()).toMatchObject({ disabled_at: null });
  const disabledAt = await nextAttempt(2);
  expect(await row()).toMatchObject({ disabled_at: disabledAt, disabled_why: 'failing' });
  await company.contact();
  expect(await delivery(2)).toMatchObject({ state: 'paused', due_at: null });
  expect(await delivery(3)).toMatchObject({ state: 'paused', due_at: null, attempts: 0 });

  healthy = true;
  clock.now += day;
  const sent = receiver.calls.length;
  expect((await update()).status).toBe(200);
  await until(() => receiver.calls.length === sent + 2);
  await until(async () => (await delivery(3)).state === 'delivered');
  expect(await row()).toMatchObject({ failing_since: null, disabled_at: null, disabled_why: null });
  expect(await delivery(1)).toMatchObject({ state: 'exhausted' });
});

test('one success restarts the period of failures after which a webhook is disabled', async () => {
  let healthy = false;
  const { attempt, attempts, clock, row } = await underClock((_call, res) => {
    res.writeHead(healthy ? 200 : 500).end();
  });
  await attempt();
  clock.now += retryDelays[1] - second;
  healthy = true;
  await attempt();
  expect(await row()).toMatchObject({ failing_since: null });
  healthy = false;
  clock.now += second;
  await until(() => attempts.length === 3);
  expect(await row()).toMatchObject({ failing_since: clock.now });
});

test('enabling a webhook marks its paused deliveries older than 30 days as exhausted', async () => {
  let gone = true;
  const { company, attempt, attempts, clock, delivery, update } = await underClock((_call, res) => {
    res.writeHead(gone ? 410 : 200).end();
  });
  await attempt();
  expect(attempts).toMatchObject([{ state: 'paused', disabled: 'gone' }]);
  clock.now += 2 * day;
  await company.contact();
  gone = false;
  clock.now = began + 30 * day + 1;
  await update();
  await until(() => attempts.length === 2);
  expect(await delivery(1)).toMatchObject({ state: 'exhausted' });
  expect(await delivery(2)).toMatchObject({ state: 'delivered' });
});
