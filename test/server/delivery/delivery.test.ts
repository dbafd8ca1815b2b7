import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatures, signingKey } from '../../../server/delivery/signing-keys.ts';
import { validateAgainstSchema } from '../../../server/own-contract/validate.ts';
import { startDeliveryService, until } from './delivery-service.ts';
import { startReceiver } from './webhook-receiver.ts';

const verbs = [
  { verb_id: 1, method: 'GET' },
  { verb_id: 2, method: 'PUT' },
  { verb_id: 3, method: 'POST' },
  { verb_id: 4, method: 'DELETE' },
];

test.each(verbs)(
  'signs a $method event so that the standardwebhooks library verifies it',
  async ({ verb_id, method }) => {
    const receiver = await startReceiver();
    const { api, company, attempts } = await startDeliveryService();
    const url = `${receiver.url}in?a=%7e&b`;
    const created = await api.createWebhook({ verb_id, entity_id: 2, action_id: 1, url });
    const contact = await company.contact({ first_name: 'Zoë \u2028' });
    await until(() => attempts.length === 1);
    const [call] = receiver.calls;
    if (!call) throw new Error('Nothing arrived.');
    const secret = created.headers.get('webhook-secret') ?? '';
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
    expect(call.headers['webhook-id']).toBe(`msg_${created.body}_1`);
    expect(call.body === '').toBe(!full);
    expect(await company.events(created.body)).toMatchObject([
      { state: 'delivered', attempts: 1, due_at: null, leased_by: null },
    ]);
  },
);

test('signs the published example of Standard Webhooks correctly', () => {
  const signed = signatures([signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1_614_265_330,
    content: '{"test": 2432232314}',
  });
  expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('records the time, status code and first bytes of a response', async () => {
  const receiver = await startReceiver((_call, res) => {
    res.writeHead(500).end(`\u0000${'é'.repeat(2_000)}`);
  });
  const { company, attempts } = await startDeliveryService();
  const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(() => attempts.length === 1);
  const [delivery] = await company.events(webhook);
  const [attempt, ...others] = JSON.parse(delivery?.log ?? '[]');
  expect(others).toEqual([]);
  expect(attempt).toMatchObject({
    status: 500,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    ms: expect.any(Number),
  });
  expect(attempt.answer).toMatch(/^\uFFFDé{500,512}/);
  expect(Buffer.byteLength(attempt.answer)).toBeLessThan(1_100);
});

test('counts a redirect as a failure and does not follow it', async () => {
  const elsewhere = await startReceiver();
  const receiver = await startReceiver((_call, res) => {
    res.writeHead(307, { location: elsewhere.url }).end();
  });
  const { company, attempts } = await startDeliveryService();
  await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(() => attempts.length === 1);
  expect(attempts).toMatchObject([{ state: 'waiting', result: { status: 307 } }]);
  expect(elsewhere.calls).toEqual([]);
});

test.each([
  ['never answers', (): void => {}, 'timeout'],
  ['breaks the connection', (_call: unknown, res: { destroy: () => void }) => res.destroy(), 'connection'],
] as const)(
  'counts a request to a URL that %s as a failure, with its reason',
  async (_what, respond, problem) => {
    const receiver = await startReceiver(respond);
    const { company, attempts } = await startDeliveryService({ sender: { callMs: 300 } });
    const webhook = await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
    await company.contact();
    await until(() => attempts.length === 1);
    expect(attempts).toMatchObject([{ state: 'waiting', result: { problem, message: expect.any(String) } }]);
    expect(await company.events(webhook)).toMatchObject([{ state: 'waiting', attempts: 1, leased_by: null }]);
  },
);

test('counts a success status as a success even if its body never ends', async () => {
  const receiver = await startReceiver((_call, res) => {
    res.writeHead(200).write('so far');
  });
  const { company, attempts } = await startDeliveryService({ sender: { callMs: 300 } });
  await company.webhook({ entity_id: 2, action_id: 1, url: receiver.url });
  await company.contact();
  await until(() => attempts.length === 1);
  expect(attempts).toMatchObject([{ state: 'delivered', result: { status: 200, answer: 'so far' } }]);
});
