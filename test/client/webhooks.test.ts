import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ReceivedRequest,
  verifyWebhook,
  WebhookError,
  type WebhookProblem,
} from '../../client/webhooks.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import { signingKey } from '../../server/delivery/signing-keys.ts';
import { buildWebhookRequest } from '../../server/delivery/webhook-request.ts';
import { exampleEvent } from '../../server/own-contract/events.ts';
import type { Schemas } from '../../server/own-contract/handler.ts';
import type { EventType } from '../../server/own-contract/webhook-selectors.ts';
import { sampleCount, seed } from '../support/sampling.ts';

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of 32 bytes and 3').toString('base64')}`;
const types = Object.keys(document.webhooks) as EventType[];
const now = Date.UTC(2026, 10, 22, 12);

/** Builds a webhook request as the service does. */
const callFor = (
  type: EventType,
  verb: number,
  {
    secrets = [secret],
    url = 'https://shop.example.com/in?a=1',
    payload = JSON.stringify(exampleEvent(type)),
  } = {},
) =>
  buildWebhookRequest(
    {
      id: 'msg_31_118',
      payload,
      webhook: { verb_id: verb as Schemas['WebhookVerbId'], url },
      keys: secrets.map(signingKey),
    },
    now,
  );

const refused = async (
  call: ReceivedRequest | Request,
  given: Partial<Parameters<typeof verifyWebhook>[1]> = {},
): Promise<WebhookProblem | undefined> => {
  const failure = await verifyWebhook(call, { secret, now, ...given }).catch((error: unknown) => error);
  return failure instanceof WebhookError ? failure.problem : undefined;
};

test.each(types)(
  'verifies a %s event for each verb, passed as a Request or as URL, headers and body',
  async (type) => {
    for (const verb of [1, 2, 3, 4]) {
      const { method, url, headers, body } = callFor(type, verb);
      const full = exampleEvent(type) as { data?: { id: number } };
      const form = body === null ? 'short' : 'full';
      const event = form === 'full' ? full : { ...full, data: { id: full.data?.id } };
      const wanted = { id: 'msg_31_118', form, event };
      expect(await verifyWebhook(new Request(url, { method, headers, body }), { secret, now })).toEqual(
        wanted,
      );
      const path = new URL(url).pathname + new URL(url).search;
      expect(
        await verifyWebhook({ headers, url: path, body: body && Buffer.from(body) }, { secret, now }),
      ).toEqual(wanted);
    }
  },
);

test('verifies signatures of the old and the new secret during a rotation', async () => {
  const call = callFor('contact.updated', 3, { secrets: [other, secret] });
  for (const known of [secret, other, [other, secret]])
    expect(await verifyWebhook(call, { secret: known, now })).toMatchObject({ form: 'full' });
});

test('finds headers regardless of their case', async () => {
  const { headers, url, body } = callFor('message.created', 3);
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  expect(await verifyWebhook({ headers: shouted, url, body }, { secret, now })).toMatchObject({
    id: 'msg_31_118',
  });
  expect(await verifyWebhook({ headers: new Headers(headers), url, body }, { secret, now })).toBeDefined();
});

test('accepts timestamps up to five minutes in the past or future, or within a given tolerance', async () => {
  const call = callFor('contact.created', 1);
  for (const late of [-300_000, 0, 300_000]) expect(await refused(call, { now: now + late })).toBeUndefined();
  for (const late of [-301_000, 301_000, 3_600_000])
    expect(await refused(call, { now: now + late })).toBe('time');
  expect(await refused(call, { now: now + 3_600_000, toleranceSeconds: 3_600 })).toBeUndefined();
  expect(await refused(call, { now: now + 2_000, toleranceSeconds: 1 })).toBe('time');
  // A tolerance of NaN accepts nothing.
  expect(await refused(call, { toleranceSeconds: Number.NaN })).toBe('time');
  expect(await refused(call, { now: Number.NaN })).toBe('time');
});

type Change = (call: ReturnType<typeof callFor>) => ReceivedRequest;

/** Replaces a header, or removes it. */
const withHeader =
  (name: string, value?: string): Change =>
  ({ headers, ...call }) => {
    const { [name]: _old, ...others } = { ...headers };
    return { ...call, headers: value === undefined ? others : { ...others, [name]: value } };
  };

test.each<[string, Change, WebhookProblem]>([
  ['without an id', withHeader('webhook-id'), 'headers'],
  ['without a signature', withHeader('webhook-signature'), 'headers'],
  ['without a timestamp', withHeader('webhook-timestamp', 'NaN'), 'headers'],
  ['signed with another secret', withHeader('webhook-signature', 'v1,AAAA'), 'signature'],
  [
    'with an unknown version',
    (call) =>
      withHeader('webhook-signature', String(call.headers['webhook-signature']).replace('v1,', 'v1a,'))(call),
    'signature',
  ],
  ['with invalid base64', withHeader('webhook-signature', 'v1,*'), 'signature'],
  ['with another id', withHeader('webhook-id', 'msg_31_119'), 'signature'],
  [
    'whose body was parsed and written again',
    ({ body, ...call }) => ({ ...call, body: JSON.stringify(JSON.parse(body ?? ''), null, 1) }),
    'signature',
  ],
  ['without anything', ({ url: _, ...call }) => ({ ...call, url: '/', body: null }), 'event'],
  ['whose payload is no base64', (call) => ({ ...call, url: '/?payload=%', body: null }), 'event'],
  ['whose payload is no text', (call) => ({ ...call, url: '/?payload=_w', body: null }), 'event'],
])('rejects a webhook request %s', async (_name, change, problem) => {
  expect(await refused(change(callFor('contact.updated', 3)))).toBe(problem);
});

test('rejects a webhook request if any byte of its body was changed', async () => {
  const { url, headers, body } = callFor('conversation.updated', 3);
  const text = body ?? '';
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 1, max: 127 }), async (at, by) => {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] ?? 0) ^ by;
      expect(await refused({ headers, url, body: bytes })).toBe('signature');
    }),
    { seed, numRuns: sampleCount(100) },
  );
});

/** Returns a request with the given body and a valid signature. */
function signed(body: string): ReceivedRequest {
  const seconds = String(now / 1000);
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`a.${seconds}.${body}`);
  const headers = {
    'webhook-id': 'a',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${mac.digest('base64')}`,
  };
  return { headers, url: '/', body };
}

test('rejects a signed body that is not an event of the contract, and names the location', async () => {
  const sound = exampleEvent('contact.created');
  expect(await refused(signed(JSON.stringify(sound)))).toBeUndefined();
  for (const body of ['x', '[]', 'null', '{}', '{"type":7}'])
    expect(await refused(signed(body)), body).toBe('event');
  const broken = JSON.stringify({ ...sound, meta: { ...sound.meta, sequence: 0 } });
  await expect(verifyWebhook(signed(broken), { secret, now })).rejects.toThrow(
    /\/meta\/sequence must be at least 1\./,
  );
  const dated = JSON.stringify({ ...sound, timestamp: '2026-19-01T00:00:00.000Z' });
  await expect(verifyWebhook(signed(dated), { secret, now })).rejects.toThrow(
    /\/timestamp must be a timestamp/,
  );
});

test.each(['contact.vanished', '__proto__'])(
  'returns an event of the unknown type %s as unknown',
  async (type) => {
    const event = { type, data: { id: 7 } };
    const payload = JSON.stringify(event);
    for (const call of [signed(payload), callFor('contact.created', 1, { payload })])
      expect(await verifyWebhook(call, { secret, now })).toMatchObject({ form: 'unknown', event });
  },
);

test.each<[string, (json: string) => string]>([
  [
    'in another form of JSON',
    (json) => JSON.stringify(JSON.parse(json), null, '\t').replaceAll('-', '\\u002d'),
  ],
  ['with unknown properties', (json) => json.replaceAll('{', '{"added_later":1,')],
  ['with unknown values of open enumerations', (json) => json.replaceAll(/"(offline|short_text)"/g, '"new"')],
  ['with null', (json) => json.replace('"+46701234567"', 'null')],
])('accepts a signed event %s', async (_form, change) => {
  const json = change(JSON.stringify(exampleEvent('contact.created')));
  const event = JSON.parse(json);
  expect(await verifyWebhook(signed(json), { secret, now })).toEqual({ id: 'a', form: 'full', event });
});

test('throws a TypeError for an invalid or missing secret', async () => {
  const call = callFor('contact.created', 3);
  for (const wrong of ['', 'whsec_', 'whsec_*', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_c2hvcnQ='])
    await expect(verifyWebhook(call, { secret: wrong, now }), wrong).rejects.toThrow(TypeError);
  await expect(verifyWebhook(call, { secret: [], now })).rejects.toThrow(TypeError);
});

test('throws a different error for an already parsed body than for a changed one', async () => {
  const { url, headers, body } = callFor('contact.created', 3);
  const parsed = { url, headers, body: JSON.parse(body ?? '') };
  await expect(verifyWebhook(parsed, { secret, now })).rejects.toThrow(/before parsing/);
  await expect(verifyWebhook({ url, headers, body: `${body}  ` }, { secret, now })).rejects.toThrow(
    WebhookError,
  );
});

test('accepts Request and Headers objects from other implementations', async () => {
  const { url, headers, body } = callFor('contact.created', 3);
  const other = new Headers(headers);
  const call = { url, headers: { get: (name: string) => other.get(name) }, text: async () => body ?? '' };
  expect(await verifyWebhook(call as unknown as Request, { secret, now })).toMatchObject({ form: 'full' });
});

test('decodes a payload with base64url characters', async () => {
  const sound = exampleEvent('contact.created');
  const payload = JSON.stringify({ ...sound, meta: { ...sound.meta, changed: ['>>>???ÿÿÿ'] } });
  const call = callFor('contact.created', 1, { payload });
  expect(call.url).toMatch(/payload=.*[-_]/);
  expect(await verifyWebhook(call, { secret, now })).toMatchObject({ form: 'short' });
});

test('verifies a request with several signature headers if one signature is valid', async () => {
  const { url, headers, body } = callFor('contact.created', 3);
  const given = {
    ...headers,
    'webhook-signature': ['v9,AAAA v1,AAAA', String(headers['webhook-signature'])],
  };
  expect(await verifyWebhook({ url, headers: given, body }, { secret, now })).toMatchObject({ form: 'full' });
});
