import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteContact } from '../../../server/features/contacts/delete.ts';
import { updateFieldDefinition } from '../../../server/features/fields/definitions.ts';
import type { ApiReply } from '../../support/http.ts';
import { unsetContact } from '../../support/service.ts';
import { concurrently, countOutcomes, type Processes, startProcesses } from './service-processes.ts';

const ends: (() => Promise<void>)[] = [];
let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses((end) => ends.push(end));
}, 30_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const statuses = (replies: readonly ApiReply[]) => countOutcomes(replies.map(({ status }) => status));

test('of many contacts with one unique value, made in several processes at once, one is there', async () => {
  const company = await processes.company();
  const [first, second] = [await company.field({ isUnique: true }), await company.field({ isUnique: true })];
  for (let round = 0; round < 15; round += 1) {
    const replies = await concurrently(24, (index) => {
      const fields = [first, second].map(({ id }) => ({ id, value: `value ${round}` }));
      // Half of them claim the two values in the other order, and must not wait for each other for ever.
      return company.any().createContact({ fields: index % 2 ? fields : fields.reverse() });
    });
    expect(statuses(replies)).toEqual({ 201: 1, 409: 23 });
  }
  const claims = await processes.store.read((db) =>
    db.selectFrom('field_values').selectAll().where('company_id', '=', company.id).execute(),
  );
  expect(claims).toHaveLength(30);
});

test('many requests with one key, in several processes at once, make one contact and all learn its id', async () => {
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

test('a key and a unique value together: whoever comes second gets the first one’s answer, and no conflict', async () => {
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

test('of many updates from one reading, in several processes at once, one goes through', async () => {
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

test('the events of many writers are numbered without a gap, and each number is later than the one before', async () => {
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

test('whoever pages upwards while others add misses nothing: no smaller number comes later', async () => {
  const company = await processes.company();
  let adding = true;
  const seen: number[] = [];
  const reading = (async () => {
    while (adding) {
      const last = seen.at(-1) ?? 0;
      const { body } = await company.api.listContacts('?per_page=100&order=desc');
      const ids = body.map(({ id }: { id: number }) => id).reverse();
      // What was not there a moment ago stands behind everything that was.
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

test('a limit on how many there may be holds, however many are made at once', async () => {
  const company = await processes.company();
  const webhook = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://1.1.1.1/' };
  const made = await concurrently(130, () => company.any().createWebhook(webhook));
  expect(statuses(made)).toEqual({ 201: 100, 422: 30 });
});

test('a field that becomes unique while contacts are written has every value claimed, and deleted contacts claim none', async () => {
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

test('a webhook that is deleted or changed while events happen has none waiting that it does not wait for', async () => {
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
