import { expect, test } from 'vitest';
import { enumNames } from '../../../../generated/enums.ts';
import { operations } from '../../../../generated/operations.ts';
import { readScopeOf } from '../../../../server/features/webhooks/rules.ts';
import type { EntityId } from '../../../../server/own-contract/webhook-selectors.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { startService } from '../../../support/service.ts';
import { startWebhook, until } from '../../delivery/delivery-service.ts';
import { createFixtures, operationIds, sendValid } from '../../own-contract/valid-requests.ts';

const url = 'https://hooks.example.com/a';

/** The numbers of the entities that webhooks select. */
const entityIds = Object.keys(enumNames.WebhookEntityId).map((id) => Number(id) as EntityId);
const created = 1;
const [contact, field] = [2, 3];
const readScopes = Object.fromEntries(entityIds.map((id) => [id, readScopeOf(id)]));

test.each(entityIds)('creating a webhook for entity %i also requires its read scope', async (entity_id) => {
  const { company } = await startService();
  const scope = readScopeOf(entity_id);
  const others = Object.values(readScopes).filter((other) => other !== scope);
  const create = async (...scopes: string[]) =>
    (await company.token(['webhooks:write', ...scopes])).api.createWebhook({
      ...{ verb_id: 3, entity_id, action_id: created, url },
    });
  const rejected = await create(...others);
  expect(rejected).toBeApiError(403, 40301, '/entity_id');
  expect(rejected.body.message).toContain(scope);
  expect((await create(scope)).status).toBe(201);
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
  const { attempt, update, delivery, company, parley, webhook } = await startWebhook((_call, res) =>
    res.writeHead(500).end(),
  );
  await attempt();
  expect((await update(selectors)).status).toBe(200);
  await until(async () => (await delivery()).state === 'canceled');
  const one = `delivery replay --company ${company.id} --delivery msg_${webhook}_1`;
  expect(await parley(one)).toFail(1, 'cannot be sent again');
  expect(await company.run(`delivery replay --webhook ${webhook}`)).toEqual({ replayed: 0 });
});
