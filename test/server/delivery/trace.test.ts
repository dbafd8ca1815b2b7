import { expect, test } from 'vitest';
import { startWebhook, until } from './delivery-service.ts';

const traceOf = (digit: string) => digit.repeat(32);
const traceparent = (digit: string) => `00-${traceOf(digit)}-${digit.repeat(16)}-01`;

test('concurrent requests each pass on their own trace to their deliveries, and others none', async () => {
  const { api, receiver } = await startWebhook();
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
