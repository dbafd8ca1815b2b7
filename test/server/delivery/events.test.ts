import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { deleteContact } from '../../../server/features/contacts/delete.ts';
import {
  archiveConversation,
  closeConversation,
  deleteConversation,
  forwardConversation,
} from '../../../server/features/conversations/update.ts';
import { deleteField, updateFieldDefinition } from '../../../server/features/fields/definitions.ts';
import { deleteMessage, editMessage, markMessageRead } from '../../../server/features/messages/update.ts';
import { selectorsOf, validateEvent } from '../../../server/own-contract/events.ts';
import { isOperationId } from '../../../server/own-contract/handler.ts';
import type { EventType } from '../../../server/own-contract/webhook-selectors.ts';
import { startService } from '../../support/service.ts';
import { createFixtures, sendValid } from '../own-contract/valid-requests.ts';

const types = Object.keys(document.webhooks) as EventType[];

/** Starts a service whose company has a webhook for every event type. `tick` advances the clock by 1 s. */
async function listeningCompany() {
  let clock = Date.parse('2026-03-05T14:00:00.000Z');
  const tick = () => {
    clock += 1_000;
  };
  const service = await startService({ now: () => clock });
  const { company } = service;
  const webhooks = new Map<EventType, number>();
  for (const type of types) {
    const { entityId, actionId } = selectorsOf(type);
    webhooks.set(type, await company.webhook({ entity_id: entityId, action_id: actionId }));
  }
  const eventsOf = (type: EventType) => company.events(webhooks.get(type) ?? 0);
  return { ...service, tick, webhooks, eventsOf };
}

type Listening = Awaited<ReturnType<typeof listeningCompany>>;

const wholeContact = async ({ api }: Listening, id: number) => (await api.getContact(id)).body;

type Happening = (given: Listening) => Promise<{ data: unknown; changed?: string[] }>;

/** Functions that cause an event. They return the expected `data` and `meta.changed` of the event. */
const happenings: Partial<Record<EventType, Happening>> = {
  'contact.updated': async (given) => {
    const id = await given.company.contact();
    given.tick();
    await given.api.updateContact(id, {
      ...(await wholeContact(given, id)),
      last_name: 'L',
      status: 'online',
    });
    return { data: await wholeContact(given, id), changed: ['last_name', 'status'] };
  },
  'contact.deleted': async (given) => {
    const id = await given.company.contact();
    const last = await wholeContact(given, id);
    given.tick();
    await given.store.write((db) => deleteContact(db, given.company.id, id, given.now()));
    return { data: { ...last, updated_at: later } };
  },
  'field.created': async ({ api, company }) => {
    await company.field({ name: 'Code' });
    return { data: (await api.listCustomFields()).body[0] };
  },
  'field.updated': async ({ api, company, store, now, tick }) => {
    const { id } = await company.field();
    tick();
    await store.write((db) =>
      updateFieldDefinition(db, company.id, id, { name: 'New', icon: 'star' }, now()),
    );
    return { data: (await api.listCustomFields()).body[0], changed: ['icon', 'name'] };
  },
  'field.deleted': async ({ api, company, store, now, tick }) => {
    const { id } = await company.field();
    const last = (await api.listCustomFields()).body[0];
    tick();
    await store.write((db) => deleteField(db, company.id, id, now()));
    return { data: { ...last, deleted_at: later, updated_at: later } };
  },
  'conversation.created': async (given) => {
    const { id } = await opened(given);
    return { data: await shown(given, id) };
  },
  'conversation.updated': (given) => operated(given, ['is_closed'], closeConversation),
  'conversation.archived': (given) => operated(given, ['archived'], archiveConversation),
  'conversation.forwarded_to_team': (given) =>
    operated(given, ['team_id'], forwardConversation({ team_id: 3 })),
  'conversation.forwarded_to_agent': (given) =>
    operated(given, ['user_id'], forwardConversation({ user_id: 23 })),
  'conversation.deleted': async (given) => {
    const conversation = await opened(given);
    await given.company.message(conversation);
    const last = await shown(given, conversation.id);
    given.tick();
    const at = { companyId: given.company.id, id: conversation.id, now: given.now() };
    await given.store.write((db) => deleteConversation(db, at));
    return { data: { ...last, deleted_at: later, updated_at: later } };
  },
  'message.updated': async (given) => {
    const { id } = await given.company.message(await opened(given));
    given.tick();
    await given.store.write((db) =>
      markMessageRead(db, { companyId: given.company.id, id, now: given.now() }),
    );
    return { data: (await given.api.getMessage(id)).body, changed: ['new', 'read'] };
  },
  'message.deleted': async (given) => {
    const { id } = await given.company.message(await opened(given));
    const last = (await given.api.getMessage(id)).body;
    given.tick();
    await given.store.write((db) => deleteMessage(db, { companyId: given.company.id, id, now: given.now() }));
    return { data: { ...last, deleted_at: later, updated_at: later } };
  },
};

/** Creates an entity with a request. Its event contains what a request for the entity returns. */
async function createWithRequest({ company, api }: Listening, type: EventType) {
  const [entity = '', action] = type.split('.');
  const read = `get${entity.replace(/^./, (letter) => letter.toUpperCase())}`;
  if (action !== 'created' || !isOperationId(read)) throw new Error(`Add to happenings what causes ${type}.`);
  const of = await createFixtures(company);
  return { data: (await sendValid(api, read, of)).body };
}

/** One tick after everything was created. */
const later = '2026-03-05T14:00:01.000Z';

const opened = async ({ company }: Listening) => company.conversation({ caller_id: await company.contact() });
const shown = async ({ api }: Listening, id: number) => ({
  ...(await api.getConversation(id)).body,
  messages: [],
});

async function operated(given: Listening, changed: string[], operate: typeof closeConversation) {
  const { id } = await opened(given);
  given.tick();
  await given.store.write((db) => operate(db, { companyId: given.company.id, id, now: given.now() }));
  return { data: await shown(given, id), changed };
}

test.each(types)('%s is stored for its webhook as documented', async (type) => {
  const given = await listeningCompany();
  const happen: Happening = happenings[type] ?? ((all) => createWithRequest(all, type));
  const { data, changed = [] } = await happen(given);
  const written = await given.eventsOf(type);
  const last =
    written.at(-1) ?? expect.fail(`The change did not publish ${type}: call publish in its transaction.`);
  expect(last.event).toEqual({
    type,
    timestamp: new Date(given.now()).toISOString(),
    data,
    meta: {
      company_id: given.company.id,
      webhook_id: given.webhooks.get(type),
      sequence: written.length,
      changed,
    },
  });
  expect(validateEvent(type, last.event)).toEqual([]);
  expect(last).toMatchObject({ type, state: 'waiting', data_id: last.event.data.id });
});

test('webhooks for the same event type each get the event, with separate sequence numbers', async () => {
  const { company, api } = await startService();
  const updates = { entity_id: 2, action_id: 2 };
  const id = await company.contact();
  const whole = (await api.getContact(id)).body;
  const first = await company.webhook(updates);
  await api.updateContact(id, { ...whole, status: 'online' });
  const second = await company.webhook(updates);
  await api.updateContact(id, { ...whole, status: 'offline' });
  const sequences = async (webhook: number) =>
    (await company.events(webhook)).map(({ sequence, event }) => [sequence, event.meta.webhook_id]);
  expect(await sequences(first)).toEqual([
    [1, first],
    [2, first],
  ]);
  expect(await sequences(second)).toEqual([[1, second]]);
});

test('a rejected or rolled-back change publishes no event and uses no sequence number', async () => {
  const { company, api, store } = await startService();
  const field = await company.field({ isUnique: true });
  const webhook = await company.webhook({ entity_id: 2, action_id: 1 });
  const body = { fields: [{ id: field.id, value: 'A' }] };
  await company.contact(body);
  expect(await api.createContact(body)).toBeApiError(409, 40901);
  const thrown = store.write(async (db) => {
    await db.updateTable('webhooks').set({ last_sequence: 99 }).execute();
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  await company.contact();
  expect((await company.events(webhook)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('an update that changes nothing publishes no event', async () => {
  const given = await listeningCompany();
  const { company, api, store, now, eventsOf } = given;
  const contact = await company.contact();
  const field = await company.field();
  const { id } = await company.conversation({ caller_id: contact });
  const message = await company.message(await company.conversation({ caller_id: contact }));
  const at = { companyId: company.id, id, now: now() };
  await api.updateContact(contact, await wholeContact(given, contact));
  await store.write(async (db) => {
    await updateFieldDefinition(db, company.id, field.id, { name: field.name }, now());
    await editMessage(db, { ...at, id: message.id }, 'Hello');
    for (let twice = 0; twice < 2; twice += 1) {
      await closeConversation(db, at);
      await archiveConversation(db, at);
      await forwardConversation({ team_id: 1 })(db, at);
      await markMessageRead(db, { ...at, id: message.id });
    }
  });
  const counts = await Promise.all(types.map(async (type) => [type, (await eventsOf(type)).length]));
  expect(Object.fromEntries(counts)).toMatchObject({
    'contact.updated': 0,
    'field.updated': 0,
    'conversation.updated': 1,
    'conversation.archived': 1,
    'conversation.forwarded_to_team': 1,
    'message.updated': 1,
  });
});

test('a message publishes conversation.updated only if it changes the conversation', async () => {
  const given = await listeningCompany();
  const { company, store, api, now, eventsOf } = given;
  const conversation = await opened(given);
  await company.message(conversation);
  expect(await eventsOf('conversation.updated')).toEqual([]);
  await api.createMessage({ conversation_id: conversation.id, type: 'text', payload: 'x' });
  const at = { companyId: company.id, id: conversation.id, now: now() };
  await store.write(async (db) => {
    await closeConversation(db, at);
    await archiveConversation(db, at);
  });
  await api.createMessage({ conversation_id: conversation.id, type: 'text', payload: 'y' });
  const changes = (await eventsOf('conversation.updated')).map(({ event }) => event.meta.changed);
  expect(changes).toEqual([['new'], ['is_closed'], ['is_closed', 'archived']]);
});

test('an event that violates the contract is not stored, and its change is rolled back', async () => {
  const { company, store, api } = await startService();
  const id = await company.contact();
  await company.webhook({ entity_id: 2, action_id: 3 });
  const changed = store.write(async (db) => {
    await db.updateTable('contacts').set({ telephone_number: 'none' }).execute();
    await deleteContact(db, company.id, id, 1);
  });
  await expect(changed).rejects.toThrow('contact.deleted violates the contract: /data/telephone_number');
  expect((await api.getContact(id)).status).toBe(200);
});
