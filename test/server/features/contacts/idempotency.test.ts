import { expect, test } from 'vitest';
import { purgeIdempotencyKeys } from '../../../../server/features/idempotency.ts';
import { emptyContact, startService } from '../../../support/service.ts';

const key = { 'idempotency-key': 'order-88213' };

test('a repeated create may send the properties of its body in another order', async () => {
  const { api } = await startService();
  const first = await api.createContact('{"first_name":"Ada","last_name":"L"}', key);
  const again = await api.createContact('{"last_name":"L","first_name":"Ada"}', key);
  expect([again.status, again.text]).toEqual([201, first.text]);
});

test('a body with an additional null property counts as another body', async () => {
  const { api } = await startService();
  await api.createContact({ first_name: 'Ada' }, key);
  const other = await api.createContact({ first_name: 'Ada', last_name: null }, key);
  expect(other).toBeApiError(422, 42202, 'header/Idempotency-Key');
});

test('does not store the response of a rejected create, so the key can be used again', async () => {
  const { api, company } = await startService();
  const body = { fields: [{ id: 1, value: 'x' }] };
  expect(await api.createContact(body, key)).toBeApiError(422, 42201, '/fields/0/id');
  await company.field();
  expect((await api.createContact(body, key)).status).toBe(201);
});

test('a key expires after 72 hours and not before', async () => {
  let clock = Date.now();
  const { api } = await startService({ now: () => clock });
  const first = await api.createContact({ first_name: 'Ada' }, key);
  clock += 72 * 3_600_000;
  expect((await api.createContact({ first_name: 'Ada' }, key)).body.id).toBe(first.body.id);
  clock += 1;
  const later = await api.createContact({ first_name: 'Ada' }, key);
  expect([later.status, later.body.id]).toEqual([201, first.body.id + 1]);
});

test('purges only the stored responses that have expired', async () => {
  let clock = Date.now();
  const { api, addCompany, store } = await startService({ now: () => clock });
  const other = await addCompany();
  const kept = () => store.read((db) => db.selectFrom('idempotency_keys').select('company_id').execute());
  await api.createContact({}, key);
  clock += 1;
  await other.api.createContact({}, key);
  await purgeIdempotencyKeys(store, clock + 72 * 3_600_000 - 1);
  expect(await kept()).toHaveLength(2);
  await purgeIdempotencyKeys(store, clock + 72 * 3_600_000);
  expect(await kept()).toEqual([{ company_id: other.id }]);
});

test('a key in use by one company does not block another company', async () => {
  const waiting = Promise.withResolvers<string[]>();
  const { api, addCompany } = await startService({ resolve: () => waiting.promise, keyWaitMs: 50 });
  const other = await addCompany();
  const webhook = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://hooks.example.com/a' };
  const first = api.createWebhook(webhook, key);
  expect((await other.api.createContact({}, key)).status).toBe(201);
  expect(await api.createContact({}, key)).toBeApiError(409, 40902);
  waiting.resolve([]);
  expect((await first).status).toBe(201);
});

test('rejects a key that another user of the company has used, even with the same body', async () => {
  const { company } = await startService();
  const [first, second] = [await company.token(undefined, 90, 1), await company.token(undefined, 90, 2)];
  const conversation = await company.conversation({ caller_id: await company.contact() });
  const body = { conversation_id: conversation.id, type: 'text', payload: 'Hello' };
  expect((await first.api.createMessage(body, key)).status).toBe(201);
  expect(await second.api.createMessage(body, key)).toBeApiError(422, 42202, 'header/Idempotency-Key');
  const sameUser = await company.token(undefined, 90, 1);
  expect((await sameUser.api.createMessage(body, key)).status).toBe(201);
});

const hourMs = 3_600_000;
const timestamp = (text: string) => Date.parse(text);

test('after the clock jumps, requests succeed, timestamps never decrease and no create is repeated', async () => {
  let aheadMs = hourMs;
  const now = () => Date.now() + aheadMs;
  const { api } = await startService({ now, tokenLimit: { name: 'token', perMinute: 60, burst: 50 } });
  const key = { 'idempotency-key': 'once' };
  const made = await api.createContact({ first_name: 'Ada' }, key);
  const before = await api.getContact(made.body.id);
  for (const ahead of [0, -hourMs, 3 * hourMs, 0]) {
    aheadMs = ahead;
    const again = await api.createContact({ first_name: 'Ada' }, key);
    expect(again.body).toEqual(made.body);
    const { body, headers } = await api.getContact(made.body.id);
    const updated = await api.updateContact(
      made.body.id,
      { ...emptyContact, first_name: `Ada ${ahead}` },
      { 'if-match': headers.get('etag') ?? '' },
    );
    expect(updated.status).toBe(200);
    const after = (await api.getContact(made.body.id)).body;
    expect(timestamp(after.updated_at)).toBeGreaterThanOrEqual(timestamp(body.updated_at));
    expect(after.created_at).toBe(before.body.created_at);
    const { body: other } = await api.createContact({ first_name: 'Bea' });
    expect(other.id).toBeGreaterThan(made.body.id);
    const { body: found } = await api.listContacts('?order=desc&per_page=1');
    expect(found[0].id).toBe(other.id);
  }
});
