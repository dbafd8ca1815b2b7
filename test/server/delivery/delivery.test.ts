import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { validateAgainstSchema } from '../../../server/own-contract/validate.ts';
import { startWebhook, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

test.each([
  [1, 'GET'],
  [2, 'PUT'],
  [3, 'POST'],
  [4, 'DELETE'],
])(
  'with verb %i, signs a %s event so that the standardwebhooks library verifies it',
  async (verb_id, method) => {
    const receiver = await startReceiver();
    const { company, attempts, secret, webhook, deliveries } = await startWebhook(undefined, {
      webhook: { verb_id, url: `${receiver.url}in?a=%7e&b` },
    });
    const contact = await company.contact({ first_name: 'Zoë \u2028' });
    await until(() => attempts.length === 1);
    const [call = expect.fail('Nothing arrived.')] = receiver.calls;
    const inQuery = call.url.split('&payload=')[1];
    const carried = inQuery === undefined ? call.body : Buffer.from(inQuery, 'base64url').toString();
    const verified = new Webhook(secret).verify(carried, call.headers as Record<string, string>);
    const full = ['POST', 'PUT'].includes(method);
    expect(call.method).toBe(method);
    expect(call.url).toMatch(full ? /^\/in\?a=%7e&b$/ : /^\/in\?a=%7e&b&payload=[\w-]+$/);
    expect(validateAgainstSchema(full ? 'ContactCreatedEvent' : 'ContactCreatedReference', verified)).toEqual(
      [],
    );
    expect(verified).toMatchObject({ type: 'contact.created', data: { id: contact }, meta: { sequence: 1 } });
    expect(call.headers['webhook-id']).toBe(`msg_${webhook}_1`);
    expect(call.body === '').toBe(!full);
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', attempts: 1, due_at: null, leased_by: null },
    ]);
  },
);

test('counts a redirect as a failure and does not follow it', async () => {
  const elsewhere = await startReceiver();
  const { attempt, attempts } = await startWebhook((_call, res) => {
    res.writeHead(307, { location: elsewhere.url }).end();
  });
  await attempt();
  expect(attempts).toMatchObject([{ state: 'waiting', result: { status: 307 } }]);
  expect(elsewhere.calls).toEqual([]);
});

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
