import { expect, test } from 'vitest';
import { operations } from '../../../../generated/operations.ts';
import { readScopeOf } from '../../../../server/features/webhooks/rules.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { entityIds } from '../../../support/entity-ids.ts';
import { startService } from '../../../support/service.ts';
import { startDeliveryService, until } from '../../delivery/delivery-service.ts';
import { startReceiver } from '../../delivery/webhook-receiver.ts';
import { createCli } from '../../operator/cli.ts';
import { createFixtures, operationIds, sendValid } from '../../own-contract/valid-requests.ts';

const url = 'https://hooks.example.com/a';
const created = 1;
const [contact, field] = [2, 3];
const readScopes = Object.fromEntries(entityIds.map((id) => [id, readScopeOf(id)]));

test('rejects a webhook update by a token that may not read the previously subscribed events', async () => {
  const receiver = await startReceiver((_call, res) => res.writeHead(500).end());
  const { company, api } = await startDeliveryService();
  const webhook = await company.webhook({ entity_id: contact, action_id: created, url: receiver.url });
  await company.contact();
  const { api: fieldsOnly } = await company.token(['webhooks:write', 'fields:read']);
  const change = { verb_id: 3, entity_id: field, action_id: created, url: `${receiver.url}elsewhere` };
  expect(await fieldsOnly.updateWebhook(webhook, change)).toBeApiError(403, 40301, '/entity_id');
  expect((await api.updateWebhook(webhook, change)).status).toBe(200);
});

const readableEntities = Object.entries(readScopes);
const ofOneWebhook = operationIds.filter((id) => operations[id].path.endsWith('/webhooks/{id}'));

test.each(
  ofOneWebhook.flatMap((id) =>
    readableEntities.map(([entity, scope]) => [id, scope, Number(entity)] as const),
  ),
)(
  '%s requires the scope %s for a webhook of entity %i, and changes nothing without it',
  async (id, scope, entity_id) => {
    const { company, store } = await startService();
    const of = await createFixtures(company);
    const webhook = await company.webhook({ entity_id, action_id: created, url });
    const rows = () => store.read((db) => dumpTables(db, ['tokens']));
    const others = Object.values(readScopes).filter((other) => other !== scope);
    const { api: without } = await company.token(['webhooks:write', ...others]);
    const before = await rows();
    // The new entity of an update is one that the token may read.
    const readable = Number(readableEntities.find(([, other]) => other !== scope)?.[0]);
    const body =
      operations[id].method === 'put'
        ? { verb_id: 3, entity_id: readable, action_id: created, url }
        : undefined;
    const rejected = await sendValid(without, id, of, { id: webhook, body });
    expect(rejected).toBeApiError(403, 40301, body ? '/entity_id' : 'path/id');
    expect(rejected.body.message).toContain(scope);
    expect(await rows()).toEqual(before);
    const { api: enough } = await company.token(['webhooks:write', ...Object.values(readScopes)]);
    expect((await sendValid(enough, id, of, { id: webhook })).status).toBe(200);
  },
);

test.each([
  ['entity', { entity_id: field, action_id: created }],
  ['action', { entity_id: contact, action_id: 2 }],
])('cancels waiting deliveries when the %s of a webhook changes', async (_what, selectors) => {
  const receiver = await startReceiver((_call, res) => res.writeHead(500).end());
  const { company, api, attempts } = await startDeliveryService();
  const webhook = await company.webhook({ entity_id: contact, action_id: created, url: receiver.url });
  await company.contact();
  await until(() => attempts.length === 1);
  expect((await api.updateWebhook(webhook, { verb_id: 3, url: receiver.url, ...selectors })).status).toBe(
    200,
  );
  await until(async () => (await company.events(webhook))[0]?.state === 'canceled');
});

test('a webhook update does not enable a webhook that the operator disabled', async () => {
  const receiver = await startReceiver();
  const { company, api, database } = await startDeliveryService();
  const webhook = await company.webhook({ entity_id: contact, action_id: created, url: receiver.url });
  const parley = createCli(database.url);
  const of = ['--company', String(company.id), '--webhook', String(webhook)];
  await parley('webhook', 'update', ...of, '--enabled', 'no');
  await company.contact();
  const body = { verb_id: 3, entity_id: contact, action_id: created, url: receiver.url };
  expect(await api.updateWebhook(webhook, body)).toMatchObject({
    status: 200,
    body: { code: 20000, message: expect.stringContaining('stays disabled') },
  });
  expect((await company.events(webhook)).map(({ state }) => state)).toEqual(['paused']);
  await parley('webhook', 'update', ...of, '--enabled', 'yes');
  await until(() => receiver.calls.length === 1);
});

test('never sends queued deliveries of an event type that the webhook no longer subscribes to', async () => {
  const receiver = await startReceiver();
  const { company, database, store, worker } = await startDeliveryService();
  const webhook = await company.webhook({ entity_id: contact, action_id: created, url });
  const parley = createCli(database.url);
  const of = ['--company', String(company.id)];
  await parley('webhook', 'update', ...of, '--webhook', String(webhook), '--enabled', 'no');
  await company.contact();
  // Earlier versions could leave a webhook with queued deliveries of an event type to which it no longer subscribes.
  await store.write((db) =>
    db.updateTable('webhooks').set({ entity_id: 3, url: receiver.url }).where('id', '=', webhook).execute(),
  );
  await parley('webhook', 'update', ...of, '--webhook', String(webhook), '--enabled', 'yes');
  worker.wake();
  await until(async () => (await company.events(webhook))[0]?.state === 'canceled');
  expect(receiver.calls).toEqual([]);
  expect(await parley('delivery', 'replay', ...of, '--delivery', `msg_${webhook}_1`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be sent again'),
  });
  const all = ['delivery', 'replay', ...of, '--webhook', String(webhook), '--json'];
  expect(JSON.parse((await parley(...all)).out)).toEqual({ replayed: 0 });
});
