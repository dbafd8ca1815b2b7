import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMetrics } from '../../../../server/runtime/observability/metrics.ts';
import { createLineSampler } from '../../../../server/runtime/observability/sample-lines.ts';
import { seed } from '../../../support/sampling.ts';
import { startService } from '../../../support/service.ts';

test('exports metrics of requests, delivery attempts and the delivery queue', async () => {
  const clock = { now: Date.UTC(2026, 0, 5) };
  const { company, store, database } = await startService({ now: () => clock.now });
  await company.webhook({ entity_id: 2, action_id: 1 });
  await company.contact();
  await company.contact();
  await database.executeSql("update deliveries set state = 'exhausted', due_at = null where sequence = 1");
  clock.now += 90_000;
  const metrics = createMetrics(store, () => clock.now, '1.2.3');
  metrics.countError();
  metrics.countRequest({ operation: 'getContact', status: 503, durationMs: 3 });
  metrics.countRequest({ operation: 'getContact', status: 200, durationMs: 3 });
  metrics.countRequest({ operation: undefined, status: 404, durationMs: 1 });
  metrics.countAttempt({ outcome: '2xx', exhausted: false, disabled: false });
  metrics.countAttempt({ outcome: 'timeout', exhausted: true, disabled: true });
  const { text, type } = await metrics.show();
  expect(type).toContain('text/plain');
  for (const line of [
    'parley_requests_total{operation="getContact",status="200"} 1',
    'parley_requests_total{operation="none",status="404"} 1',
    'parley_delivery_attempts_total{outcome="2xx"} 1',
    'parley_delivery_attempts_total{outcome="timeout"} 1',
    'parley_deliveries_exhausted_total 1',
    'parley_webhooks_disabled_total 1',
    'parley_database_queued 0',
    'parley_database_reachable 1',
    'parley_build_info{version="1.2.3"} 1',
    'parley_internal_errors_total 1',
    'parley_unavailable_total 1',
    'parley_deliveries_waiting 1',
    'parley_delivery_oldest_due_age_seconds 90',
  ])
    expect(text.split('\n')).toContain(line);
});

test.each<[string, () => Promise<never>]>([
  ['is unavailable', () => Promise.reject(new Error('away'))],
  ['does not respond', () => new Promise(() => {})],
])('while the database %s, exports within 5 s the metrics that need no query', async (_how, read) => {
  const metrics = createMetrics({ ...(await startService()).store, read }, Date.now);
  metrics.countAttempt({ outcome: '5xx', exhausted: false, disabled: false });
  const startedAt = performance.now();
  const { text } = await metrics.show();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(text).toContain('parley_delivery_attempts_total{outcome="5xx"} 1');
  expect(text).toContain('parley_deliveries_waiting 0');
});

test('a delivery is late only if its receiver does not hold it up, also during an outage of the database', async () => {
  const clock = { now: Date.UTC(2026, 0, 5) };
  const { company, store, database } = await startService({ now: () => clock.now });
  await company.webhook({ entity_id: 2, action_id: 1 });
  await company.contact();
  clock.now += 60_000;
  await company.contact();
  clock.now += 30_000;
  let isAway = false;
  const metrics = createMetrics(
    { ...store, read: (work) => (isAway ? Promise.reject(new Error('away')) : store.read(work)) },
    () => clock.now,
  );
  const age = async () =>
    /^parley_delivery_oldest_due_age_seconds (.*)$/m.exec((await metrics.show()).text)?.[1];
  const change = (values: string) => database.executeSql(`update webhooks set ${values}`);
  const lease = (by: string, until: number | string) =>
    database.executeSql(
      `update deliveries set leased_by = ${by}, leased_until = ${until} where sequence = 1`,
    );
  expect(await age()).toBe('90');
  await change(`failing_since = ${clock.now}`);
  expect(await age()).toBe('0');
  await change(`failing_since = null, disabled_at = ${clock.now}`);
  expect(await age()).toBe('0');
  await change('disabled_at = null');
  // A request is in flight, until the lease of a worker that no longer runs has ended.
  await lease("'w'", clock.now + 1_000);
  expect(await age()).toBe('0');
  clock.now += 1_000;
  expect(await age()).toBe('31');
  await lease('null', 'null');
  expect(await age()).toBe('91');
  isAway = true;
  clock.now += 9_000;
  expect(await age()).toBe('100');
});

test('exports the number of waiting database operations', async () => {
  const { store } = await startService();
  const metrics = createMetrics(store, Date.now);
  const queued = async () => Number(/^parley_database_queued (.*)$/m.exec((await metrics.show()).text)?.[1]);
  expect(await queued()).toBe(0);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  // More writes than the connection pool or the SQLite writer executes at once.
  const working = Array.from({ length: 30 }, () => store.write(() => held));
  await expect.poll(queued).toBeGreaterThanOrEqual(20);
  go();
  await Promise.all(working);
  await expect.poll(queued).toBe(0);
});

/** Returns the weights of the lines that are written in each second. @param rates the number of lines in each second */
function weightsOf(rates: readonly number[]): number[][] {
  const clock = { now: 0 };
  const sample = createLineSampler(() => clock.now);
  return rates.map((rate, second) => {
    const weights: number[] = [];
    for (let line = 0; line < rate; line += 1) {
      clock.now = second * 1_000 + (line * 1_000) / rate;
      const weight = sample();
      if (weight !== undefined) weights.push(weight);
    }
    return weights;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

test('writes every line up to 100 per second, and about 100 of more', () => {
  const weights = weightsOf([100, 100, 5_000, 5_000, 5_000, 50, 50]);
  expect(weights.map(({ length }) => length)).toEqual([100, 100, 5_000, 100, 100, 1, 50]);
  expect(new Set(weights[4])).toEqual(new Set([50]));
});

test('the weights count every line, except those since the last written one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { minLength: 1, maxLength: 8 }), (rates) => {
      const counted = sum(weightsOf(rates).flat());
      expect(counted).toBeLessThanOrEqual(sum(rates));
      expect(sum(rates) - counted).toBeLessThan(Math.max(1, Math.max(...rates) / 100 + 1));
    }),
    { seed },
  );
});
