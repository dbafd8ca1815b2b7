import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteContact } from '../../../server/features/contacts/delete.ts';
import { updateFieldDefinition } from '../../../server/features/fields/definitions.ts';
import type { ApiReply } from '../../support/api-client.ts';
import { unsetContact } from '../../support/service.ts';
import { concurrently, countOutcomes, type Processes, startProcesses } from './service-processes.ts';

const ends: (() => Promise<void>)[] = [];
let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses((end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const statuses = (replies: readonly ApiReply[]) => countOutcomes(replies.map(({ status }) => status));

test('of concurrent creates with the same unique values in several processes, only one succeeds', async () => {
  const company = await processes.company();
  const [first, second] = [await company.field({ isUnique: true }), await company.field({ isUnique: true })];
  for (let round = 0; round < 15; round += 1) {
    const replies = await concurrently(24, (index) => {
      const fields = [first, second].map(({ id }) => ({ id, value: `value ${round}` }));
      // Half of the requests claim the two values in reverse order, which must not deadlock.
      return company.any().createContact({ fields: index % 2 ? fields : fields.reverse() });
    });
    expect(statuses(replies)).toEqual({ 201: 1, 409: 23 });
  }
  const claims = await processes.store.read((db) =>
    db.selectFrom('field_values').selectAll().where('company_id', '=', company.id).execute(),
  );
  expect(claims).toHaveLength(30);
});

test('many requests with one idempotency key in several processes create one contact and return its ID', async () => {
  const company = await processes.company();
  for (let round = 0; round < 15; round += 1) {
    const key = { 'idempotency-key': `round ${round}` };
    const replies = await concurrently(24, () => company.any().createContact({ first_name: 'Ada' }, key));
    expect(countOutcomes(replies.map(({ status, text }) => `${status} ${text}`))).toEqual({
      [`201 ${replies[0]?.text}`]: 24,
    });
  }
  expect((await company.api.listContacts('?per_page=100')).body).toHaveLength(15);
});

test('requests with the same idempotency key and unique value get the first response, not a conflict', async () => {
  const company = await processes.company();
  const field = await company.field({ isUnique: true });
  for (let round = 0; round < 10; round += 1) {
    const key = { 'idempotency-key': `round ${round}` };
    const body = { fields: [{ id: field.id, value: `value ${round}` }] };
    expect(statuses(await concurrently(24, () => company.any().createContact(body, key)))).toEqual({
      201: 24,
    });
  }
});

test('of concurrent updates with the same ETag in several processes, only one succeeds', async () => {
  const company = await processes.company();
  const id = await company.contact();
  for (let round = 0; round < 15; round += 1) {
    const { headers, body } = await company.api.getContact(id);
    const { id: _id, created_at: _made, updated_at: _changed, company_id: _company, ...whole } = body;
    const replies = await concurrently(24, (index) =>
      company
        .any()
        .updateContact(
          id,
          { ...whole, last_name: `${round} ${index}`, fields: [] },
          { 'if-match': headers.get('etag') ?? '' },
        ),
    );
    expect(statuses(replies)).toEqual({ 200: 1, 412: 23 });
  }
});

test('events of concurrent writes are numbered without gaps, and each object has one event', async () => {
  const company = await processes.company();
  const contact = await company.contact();
  const conversations = [
    await company.conversation({ caller_id: contact }),
    await company.conversation({ caller_id: contact }),
  ];
  const [contacts, messages, more] = [
    await company.webhook({ entity_id: 2, action_id: 1 }),
    await company.webhook({ entity_id: 5, action_id: 1 }),
    await company.webhook({ entity_id: 5, action_id: 1 }),
  ];
  const replies = await concurrently(240, (index) =>
    index % 3 === 0
      ? company.any().createContact({ first_name: 'Ada' })
      : company.any().createMessage({
          conversation_id: conversations[index % 2]?.id,
          type: 'text',
          payload: String(index),
        }),
  );
  expect(statuses(replies)).toEqual({ 201: 240 });
  for (const [webhook, count] of [
    [contacts, 80],
    [messages, 160],
    [more, 160],
  ] as const) {
    const events = await company.events(webhook);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
    expect(new Set(events.map(({ data_id }) => data_id)).size).toBe(count);
  }
});

test('contacts appear in order of ID while others are added, so ascending pagination misses none', async () => {
  const company = await processes.company();
  let adding = true;
  const seen: number[] = [];
  const reading = (async () => {
    while (adding) {
      const last = seen.at(-1) ?? 0;
      const { body } = await company.api.listContacts('?per_page=100&order=desc');
      const ids = body.map(({ id }: { id: number }) => id).reverse();
      // Contacts that appear later must have larger IDs than all contacts seen before.
      seen.push(...ids.filter((id: number) => id > last));
      expect(seen.slice(-ids.length)).toEqual(ids);
    }
  })();
  for (let round = 0; round < 4; round += 1)
    expect(
      statuses(await concurrently(24, () => company.any().createContact({ first_name: 'Ada' }))),
    ).toEqual({
      201: 24,
    });
  adding = false;
  await reading;
});

test('the limit on the number of webhooks holds for concurrent creates', async () => {
  const company = await processes.company();
  const webhook = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://1.1.1.1/' };
  const made = await concurrently(130, () => company.any().createWebhook(webhook));
  expect(statuses(made)).toEqual({ 201: 100, 422: 30 });
});

test('a field that becomes unique during writes claims the values of all contacts that are not deleted', async () => {
  const company = await processes.company();
  const { store } = processes;
  const field = await company.field();
  let changing = true;
  let made = 0;
  const outcomes: number[] = [];
  const another = () => {
    made += 1;
    return { fields: [{ id: field.id, value: `value ${made}` }] };
  };
  const whole = { ...unsetContact, status: 'online', avatar: null };
  const writers = Array.from({ length: 8 }, async (_, index) => {
    while (changing) {
      const created = await company.any().createContact(another());
      outcomes.push(created.status);
      if (index % 2 && created.status === 201)
        outcomes.push(
          (await company.any().updateContact(created.body.id, { ...whole, ...another() })).status,
        );
      if (index % 3 === 0 && created.status === 201)
        await store.write((db) => deleteContact(db, company.id, created.body.id, Date.now()));
    }
  });
  for (let round = 0; round < 12 || made < 100; round += 1)
    await store.write((db) =>
      updateFieldDefinition(db, company.id, field.id, { isUnique: round % 2 === 0 }, Date.now()),
    );
  await store.write((db) => updateFieldDefinition(db, company.id, field.id, { isUnique: true }, Date.now()));
  changing = false;
  await Promise.all(writers);
  expect(new Set(outcomes)).toEqual(new Set([200, 201]));
  const rows = await store.read((db) =>
    db
      .selectFrom('field_values as v')
      .innerJoin('contacts as c', 'c.id', 'v.contact_id')
      .select(['v.unique_digest', 'c.deleted_at'])
      .where('v.field_id', '=', field.id)
      .execute(),
  );
  expect(rows.filter(({ deleted_at }) => deleted_at).length).toBeGreaterThan(3);
  for (const { unique_digest, deleted_at } of rows) expect(unique_digest === null).toBe(deleted_at !== null);
});

test('concurrent writes store no event for a deleted webhook, and none of the old type for a changed one', async () => {
  const company = await processes.company();
  let sending = true;
  const conversation = await company.conversation({ caller_id: await company.contact() });
  const message = { conversation_id: conversation.id, type: 'text', payload: 'x' };
  const senders = Array.from({ length: 8 }, async () => {
    while (sending) expect((await company.any().createMessage(message)).status).toBe(201);
  });
  const ids: number[] = [];
  const created = { entity_id: 5, action_id: 1 };
  for (let round = 0; round < 12; round += 1) {
    const id = await company.webhook(created);
    ids.push(id);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const url = 'https://hooks.example.com/b';
    if (round % 2)
      expect(
        (await company.any().updateWebhook(id, { verb_id: 3, url, entity_id: 5, action_id: 2 })).status,
      ).toBe(200);
    else expect((await company.any().deleteWebhook(id)).status).toBe(200);
    const numbers = (await company.events(id)).length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await company.events(id)).length).toBe(numbers);
  }
  sending = false;
  await Promise.all(senders);
  for (const [round, id] of ids.entries()) {
    const events = await company.events(id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    if (round % 2 === 0) expect(events.filter(({ state }) => state === 'waiting')).toEqual([]);
  }
});
