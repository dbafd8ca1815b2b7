import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../generated/operations.ts';
import { selectorsOf } from '../../../server/own-contract/events.ts';
import type { EventType } from '../../../server/own-contract/webhook-selectors.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { startService } from '../../support/service.ts';
import { createFixtures, operationIds, sendValid } from '../own-contract/valid-requests.ts';

const writing = operationIds.filter((id) => operations[id].method !== 'get');
const types = Object.keys(document.webhooks) as EventType[];

/** Starts a service whose company has objects of every kind, and a webhook for every event type. */
async function listeningService() {
  const service = await startService();
  const fixtures = await createFixtures(service.company);
  for (const type of types) {
    const { entityId, actionId } = selectorsOf(type);
    await service.company.webhook({ entity_id: entityId, action_id: actionId });
  }
  const countEvents = async () => (await service.database.look('select * from deliveries')).length;
  return { ...service, fixtures, countEvents };
}

async function publishes(id: OperationId): Promise<boolean> {
  const { api, fixtures, countEvents } = await listeningService();
  const before = await countEvents();
  expect((await sendValid(api, id, fixtures)).status).toBeLessThan(300);
  return (await countEvents()) > before;
}

test.each(writing)('%s changes nothing if its event cannot be published', async (id) => {
  if (!(await publishes(id))) return;
  const { api, store, fixtures, database, errors } = await listeningService();
  // `tokens` is left out, because the last use of a token is recorded in the background.
  const rows = () => store.read((db) => dumpTables(db, ['deliveries', 'tokens']));
  const before = await rows();
  await database.executeSql('ALTER TABLE deliveries RENAME TO lost');
  expect((await sendValid(api, id, fixtures)).status).toBe(500);
  expect(errors.length).toBeGreaterThan(0);
  expect(await rows(), `${id} must call publish in the transaction of its change`).toEqual(before);
});

test('operations that create, update and delete entities publish events', async () => {
  const published = await Promise.all(writing.map(publishes));
  expect(writing.filter((_, at) => published[at])).toEqual(
    expect.arrayContaining(['createContact', 'updateContact', 'createMessage']),
  );
});
