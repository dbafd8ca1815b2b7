import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumNames } from '../../../../generated/enums.ts';
import { operations } from '../../../../generated/operations.ts';
import { readScopeOf } from '../../../../server/features/webhooks/rules.ts';
import { selectorsOf } from '../../../../server/own-contract/events.ts';
import type { EntityId, EventType } from '../../../../server/own-contract/webhook-selectors.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { entityIds } from '../../../support/entity-ids.ts';
import { resources } from '../../../support/resources/all.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { type Company, createCompany, startService } from '../../../support/service.ts';
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
    err: expect.stringContaining('contact.created'),
  });
  const all = ['delivery', 'replay', ...of, '--webhook', String(webhook), '--json'];
  expect(JSON.parse((await parley(...all)).out)).toEqual({ replayed: 0 });
});

/** IDs of the entities that each token may read: contacts, fields, conversations with messages, all. */
const readable = [[2], [3], [1, 5], entityIds] as const;

/** Generates a token and an entity that the token may read, because calls for other entities are rejected. */
const tokenAndEntity = fc
  .integer({ min: 0, max: readable.length - 1 })
  .chain((token) =>
    fc.record({ token: fc.constant(token), entity: fc.constantFrom<number>(...(readable[token] ?? [])) }),
  );
const at = fc.nat(3);
const step = fc.oneof(
  { weight: 4, arbitrary: tokenAndEntity.map((given) => ({ what: 'create webhook' as const, ...given })) },
  {
    weight: 6,
    arbitrary: fc
      .record({ given: tokenAndEntity, at })
      .map(({ given, at: index }) => ({ what: 'update webhook' as const, ...given, at: index })),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('change entity' as const),
      entity: fc.constantFrom(...entityIds),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom('disable' as const, 'enable' as const, 'replay' as const),
      at,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('delete webhook' as const), token: fc.nat(3), at }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('receiver' as const), fails: fc.boolean() }) },
);

/** Creates an entity for a company, and those that it needs, so that a `created` event is published. */
async function makeEvent(company: Company, entityId: EntityId): Promise<void> {
  const ids: Record<string, number> = {};
  for (const [name, { create }] of Object.entries(resources)) {
    ids[name] = await create(company, 'Ada', ids);
    if (name === enumNames.WebhookEntityId[entityId]) return;
  }
}

test('no sequence of calls sends events to the URL of a token that may not read them', async () => {
  let fails = true;
  const receiver = await startReceiver((_call, res) => res.writeHead(fails ? 500 : 200).end());
  const clock = { ahead: 0 };
  const service = await startDeliveryService({ now: () => Date.now() + clock.ahead });
  const { store, base, database, worker } = service;
  const parley = createCli(database.url);

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      receiver.calls.length = 0;
      fails = true;
      const company = await createCompany(store, base, service.now);
      const scopesOf = [
        ['contacts:read'],
        ['fields:read'],
        ['conversations:read', 'messages:read'],
        Object.values(readScopes),
      ];
      const tokens = await Promise.all(
        scopesOf.map((scopes) => company.token(['webhooks:write', ...scopes])),
      );
      const webhooks: number[] = [];
      const of = (at: number) => [
        '--company',
        String(company.id),
        '--webhook',
        String(webhooks[at % webhooks.length]),
      ];
      /** The path of the URL names the token that set it. */
      const body = (given: { token: number; entity: number }) => ({
        verb_id: 3,
        entity_id: given.entity,
        action_id: created,
        url: `${receiver.url}${given.token}`,
      });
      const idle = () =>
        until(async () => {
          worker.wake();
          const due = await store.read((db) =>
            db
              .selectFrom('deliveries')
              .select('sequence')
              .where('company_id', '=', company.id)
              .where('state', '=', 'waiting')
              .where('due_at', '<=', service.now())
              .execute(),
          );
          return due.length === 0;
        });
      for (const one of steps) {
        if (one.what === 'create webhook') {
          const reply = await tokens[one.token]?.api.createWebhook(body(one));
          if (reply?.status === 201) webhooks.push(reply.body);
        } else if (one.what === 'change entity') await makeEvent(company, one.entity);
        else if (one.what === 'receiver') fails = one.fails;
        else if (webhooks.length === 0) continue;
        else if (one.what === 'update webhook')
          await tokens[one.token]?.api.updateWebhook(webhooks[one.at % webhooks.length] ?? 0, body(one));
        else if (one.what === 'delete webhook')
          await tokens[one.token]?.api.deleteWebhook(webhooks[one.at % webhooks.length] ?? 0);
        else if (one.what === 'replay') await parley('delivery', 'replay', ...of(one.at));
        else
          await parley('webhook', 'update', ...of(one.at), '--enabled', one.what === 'enable' ? 'yes' : 'no');
      }
      // Enables all webhooks, replays their deliveries, and waits until no delivery is due.
      fails = false;
      for (let at = 0; at < webhooks.length; at += 1) {
        await parley('webhook', 'update', ...of(at), '--enabled', 'yes');
        await parley('delivery', 'replay', ...of(at));
      }
      clock.ahead += 48 * 3_600_000;
      await idle();
      for (const { url: path, body: payload } of receiver.calls) {
        const { type } = JSON.parse(payload) as { type: EventType };
        const { entityId } = selectorsOf(type);
        expect(readable[Number(path.slice(1))], `${type} at ${path}`).toContain(entityId);
      }
    }),
    { numRuns: sampleCount(12), seed },
  );
});
