import { expect, test } from 'vitest';
import { serviceAndWorker } from '../../delivery/delivery-processes.ts';
import { startDeliveryService, until } from '../../delivery/delivery-service.ts';
import { startReceiver } from '../../delivery/webhook-receiver.ts';
import { startCollector } from './collector.ts';

const traceOf = (digit: string) => digit.repeat(32);
const traceparent = (digit: string) => `00-${traceOf(digit)}-${digit.repeat(16)}-01`;

test('concurrent requests each pass on their own trace to their deliveries, and others none', async () => {
  const receiver = await startReceiver();
  const { api } = await startDeliveryService();
  await api.createWebhook({ verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url });
  const digits = [...'123456789abcdef'];
  await Promise.all([
    ...digits.map((digit) =>
      api.createContact({ first_name: digit }, { traceparent: traceparent(digit), tracestate: 'vendor=1' }),
    ),
    api.createContact({ first_name: 'none' }),
    api.createContact({ first_name: 'invalid' }, { traceparent: 'x'.repeat(55) }),
    api.createContact({ first_name: 'zero' }, { traceparent: `00-${traceOf('0')}-${'1'.repeat(16)}-01` }),
  ]);
  await until(() => receiver.calls.length === digits.length + 3);
  const traces = Object.fromEntries(
    receiver.calls.map(({ body, headers }) => [JSON.parse(body).data.first_name, headers.traceparent]),
  );
  expect(traces).toEqual({
    ...Object.fromEntries(digits.map((digit) => [digit, traceparent(digit)])),
    none: undefined,
    invalid: undefined,
    zero: undefined,
  });
  expect(receiver.calls.filter(({ headers }) => headers.tracestate)).toEqual([]);
});

test('exports spans of requests and deliveries, but no contents', async () => {
  const collector = await startCollector();
  const processes = await serviceAndWorker({
    PARLEY_EMBEDDED_WORKER: 'yes',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  await processes.start('api');
  const { api, calls } = await processes.createCompany();
  await api.createContact({ first_name: 'Secretly' }, { traceparent: traceparent('a') });
  await api.searchContacts('Secretly');
  await until(() => calls.length === 1);
  await until(() => processes.log().includes('"attempt"'));
  expect(await processes.end('api')).toBe(0);

  const spans = collector.spans();
  const created = spans.find(({ name }) => name === 'POST /api/v1/contacts');
  const delivered = spans.find(({ name }) => name === 'deliver contact.created');
  expect(created).toMatchObject({ traceId: traceOf('a'), parentSpanId: 'a'.repeat(16) });
  expect(delivered).toMatchObject({ traceId: traceOf('a'), parentSpanId: created?.spanId });
  expect(calls[0]?.headers.traceparent).toBe(`00-${traceOf('a')}-${delivered?.spanId}-01`);
  expect(spans.map(({ name }) => name)).toContain('GET /api/v1/contacts/search');
  const traced = processes
    .log()
    .split('\n')
    .filter((line) => line.includes(`"trace":"${traceOf('a')}"`));
  expect(traced.map((line) => JSON.parse(line).msg).sort()).toEqual(['attempt', 'request completed']);
  expect(new Set(collector.exports.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  expect(JSON.stringify(collector.exports)).not.toContain('Secretly');
});

test('serves and stops although the collector is unreachable', async () => {
  const processes = await serviceAndWorker({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  await processes.start('api');
  const { api } = await processes.createCompany();
  expect((await api.createContact({ first_name: 'Ada' })).status).toBe(201);
  expect(await processes.end('api')).toBe(0);
  expect(processes.log()).toContain('telemetry export failed');
});
