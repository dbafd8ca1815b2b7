import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { settleDeliveries } from '../../../../server/delivery/settle-deliveries.ts';
import { createResponseEncryption, createSecrets } from '../../../../server/security/secrets/encryption.ts';
import { webhookSecretContext } from '../../../../server/security/secrets/webhook-secret.ts';
import { findWebhook } from '../../../../server/storage/queries/webhooks.ts';
import { type ServiceOptions, startService } from '../../../support/service.ts';

const validWebhook = { verb_id: 3, entity_id: 2, url: 'https://hooks.example.com/parley', action_id: 2 };

async function withWebhook(options: ServiceOptions = {}) {
  const service = await startService(options);
  const { body: id } = await service.api.createWebhook(validWebhook);
  const stored = () => service.store.read((db) => findWebhook(db, service.company.id, id));
  return { ...service, id, stored };
}

test('returns the ID of a new webhook, and its secret once in a header', async () => {
  const { api, store, company } = await startService();
  const created = await api.createWebhook({ ...validWebhook, automation_id: 905 });
  expect([created.status, created.body, created.headers.get('location')]).toEqual([
    201,
    1,
    '/api/v1/webhooks/1',
  ]);
  const secret = created.headers.get('webhook-secret') ?? '';
  expect(secret).toMatch(/^whsec_/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect((await api.createWebhook(validWebhook)).headers.get('webhook-secret')).not.toBe(secret);
  const row = await store.read((db) => findWebhook(db, company.id, 1));
  expect(row).toMatchObject({ ...validWebhook, automation_id: 905, last_sequence: 0 });
});

test('no secret is readable in the database, not even in stored responses', async () => {
  const { api, store } = await startService();
  const key = { 'idempotency-key': 'w-1' };
  const first = await api.createWebhook(validWebhook, key);
  const again = await api.createWebhook(validWebhook, key);
  const secret = first.headers.get('webhook-secret') ?? '';
  expect([
    again.status,
    again.text,
    again.headers.get('webhook-secret'),
    again.headers.get('location'),
  ]).toEqual([201, first.text, secret, first.headers.get('location')]);
  const everything = await store.read(async (db) => [
    await db.selectFrom('webhooks').selectAll().execute(),
    await db.selectFrom('idempotency_keys').selectAll().execute(),
  ]);
  const readable = JSON.stringify(everything, (_name, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  expect(readable).toContain('w-1');
  for (const form of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('latin1')])
    expect(readable).not.toContain(form);
});

test('a secret or stored response decrypts only for its own webhook and company', () => {
  const secrets = createSecrets(randomBytes(32));
  const sealed = secrets.seal('whsec_x', webhookSecretContext(7, 31));
  expect(secrets.open(sealed, webhookSecretContext(7, 31))).toBe('whsec_x');
  for (const location of [webhookSecretContext(7, 32), webhookSecretContext(8, 31)])
    expect(() => secrets.open(sealed, location)).toThrow();
  const kept = createResponseEncryption(secrets, 7).seal('{}');
  expect(createResponseEncryption(secrets, 7).open(kept)).toBe('{}');
  expect(() => createResponseEncryption(secrets, 8).open(kept)).toThrow();
});

test('replays the response with the secret only to the token that created the webhook', async () => {
  const { api, company } = await startService();
  const key = { 'idempotency-key': 'w-1' };
  expect((await api.createWebhook(validWebhook, key)).status).toBe(201);
  const { api: other } = await company.token();
  const replay = await other.createWebhook(validWebhook, key);
  expect(replay).toBeApiError(422, 42202, 'header/Idempotency-Key');
  expect(replay.headers.get('webhook-secret')).toBeNull();
});

test.each(['rotate-secret', 'delete'] as const)(
  'after %s, does not replay the response with the secret, and creates no second webhook',
  async (how) => {
    const { api, company } = await startService();
    const key = { 'idempotency-key': 'w-1' };
    const { body: id } = await api.createWebhook(validWebhook, key);
    expect((await api.createWebhook(validWebhook, key)).status).toBe(201);
    if (how === 'delete') await api.deleteWebhook(id);
    else await company.run(`webhook ${how} --webhook ${id}`);
    const replay = await api.createWebhook(validWebhook, key);
    expect(replay).toBeApiError(422, 42202, 'header/Idempotency-Key');
    expect(replay.headers.get('webhook-secret')).toBeNull();
    const webhooks = await api.createWebhook(validWebhook);
    expect(webhooks.body).toBe(id + 1);
  },
);

test.each([1, 4])(
  'rejects a URL with the query parameter that the service adds for verb_id %i',
  async (verb_id) => {
    const { api } = await startService();
    for (const url of ['https://h.example.com/?payload=1', 'https://h.example.com/?a=1&pay%6coad']) {
      expect(await api.createWebhook({ ...validWebhook, verb_id, url })).toBeApiError(422, 42201, '/url');
      expect((await api.createWebhook({ ...validWebhook, url })).status).toBe(201);
    }
  },
);

test.each([
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'https:/user:pass@hooks.example.com/',
  'https:user:pass@hooks.example.com/',
  'https:///user:pass@hooks.example.com/',
  'https://./',
  'https://user@hooks.example.com/',
  'https://user:pass@hooks.example.com/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://api.localhost./',
  'https://localhost../',
  'https://@hooks.example.com/',
  'https://:@hooks.example.com/',
  'https://hooks.example.com/#payload',
  'https://hooks.example.com/#',
  'https://hooks.example.com:0/',
])('rejects %s as a webhook URL', async (url) => {
  const { api, id } = await withWebhook();
  expect(await api.createWebhook({ ...validWebhook, url })).toBeApiError(422, 42203, '/url');
  expect(await api.updateWebhook(id, { ...validWebhook, url })).toBeApiError(422, 42203, '/url');
});

test.each([
  [['10.0.0.5']],
  [['93.184.215.14', '192.168.1.1']],
  [['2606:2800:21f::1', 'fd00::1']],
  [['64:ff9b::a00:1']],
])('rejects a host name that resolves to %j, without disclosing the address', async (addresses) => {
  let responses: string[] = [];
  const { api, id } = await withWebhook({ resolve: async () => responses });
  responses = addresses;
  for (const rejected of [await api.createWebhook(validWebhook), await api.updateWebhook(id, validWebhook)]) {
    expect(rejected).toBeApiError(422, 42203, '/url');
    for (const address of addresses) expect(rejected.text).not.toContain(address);
  }
});

test('a repeated create returns the stored response, regardless of the current DNS result', async () => {
  let responses = ['93.184.215.14'];
  const { api } = await startService({ resolve: async () => responses });
  const key = { 'idempotency-key': 'w-1' };
  const first = await api.createWebhook(validWebhook, key);
  responses = ['10.0.0.1'];
  const again = await api.createWebhook(validWebhook, key);
  expect([again.status, again.text, again.headers.get('webhook-secret')]).toEqual([
    201,
    first.text,
    first.headers.get('webhook-secret'),
  ]);
  expect(await api.createWebhook(validWebhook)).toBeApiError(422, 42203);
});

test('an update replaces everything but secret, sequence and creation time', async () => {
  let clock = Date.parse('2026-03-05T14:00:00.000Z');
  const { api, id, stored, company } = await withWebhook({ now: () => clock });
  const contact = await company.contact();
  await api.updateContact(contact, { ...(await api.getContact(contact)).body, status: 'online' });
  const before = await stored();
  const change = { verb_id: 1, entity_id: 1, url: 'https://new.example.com/', action_id: 6 };
  clock += 1_000;
  const reply = await api.updateWebhook(id, change);
  expect([reply.status, reply.body.code, reply.body.fields]).toEqual([200, 20000, '']);
  expect(await stored()).toEqual({ ...before, ...change, updated_at: clock });
  expect(before?.last_sequence).toBe(1);
});

test('an update without automation_id removes the automation from the webhook', async () => {
  const { api, id, stored } = await withWebhook();
  await api.updateWebhook(id, { ...validWebhook, automation_id: 905 });
  expect((await stored())?.automation_id).toBe(905);
  await api.updateWebhook(id, validWebhook);
  expect((await stored())?.automation_id).toBeNull();
});

test('a deleted webhook returns 404, and its deliveries are canceled', async () => {
  const { api, id, company, store } = await withWebhook();
  const contact = await company.contact();
  const whole = (await api.getContact(contact)).body;
  await api.updateContact(contact, { ...whole, status: 'online' });
  expect((await api.deleteWebhook(id)).body).toEqual({
    code: 20000,
    message: `Webhook ${id} was deleted.`,
    fields: '',
  });
  await settleDeliveries(store, { now: Date.now });
  expect(await company.events(id)).toMatchObject([{ state: 'canceled' }]);
  await api.updateContact(contact, { ...whole, status: 'offline' });
  expect(await company.events(id)).toHaveLength(1);
  expect(await api.deleteWebhook(id)).toBeApiError(404, 40401, 'path/id');
  expect(await api.updateWebhook(id, validWebhook)).toBeApiError(404, 40401, 'path/id');
});

test('a company has at most a hundred webhooks; deleted ones do not count', async () => {
  const { api } = await startService();
  for (let count = 0; count < 100; count += 1)
    expect((await api.createWebhook(validWebhook)).status).toBe(201);
  expect(await api.createWebhook(validWebhook)).toBeApiError(422, 42201, '');
  await api.deleteWebhook(1);
  expect((await api.createWebhook(validWebhook)).status).toBe(201);
});
