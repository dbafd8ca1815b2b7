import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../service.ts';
import { atOnce, type Processes, severalProcesses, tallied } from './processes.ts';

const ends: (() => Promise<void>)[] = [];
let processes: Processes;
beforeAll(async () => {
  processes = await severalProcesses((end) => ends.push(end));
}, 30_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const statuses = (replies: readonly Reply[]) => tallied(replies.map(({ status }) => status));

test('of many contacts with one unique value, made in several processes at once, one is there', async () => {
  const company = await processes.company();
  const [first, second] = [await company.field({ isUnique: true }), await company.field({ isUnique: true })];
  for (let round = 0; round < 15; round += 1) {
    const replies = await atOnce(24, (place) => {
      const fields = [first, second].map(({ id }) => ({ id, value: `value ${round}` }));
      // Half of them claim the two values in the other order, and must not wait for each other for ever.
      return company.any().createContact({ fields: place % 2 ? fields : fields.reverse() });
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
    const replies = await atOnce(24, () => company.any().createContact({ first_name: 'Ada' }, key));
    expect(tallied(replies.map(({ status, text }) => `${status} ${text}`))).toEqual({
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
    expect(statuses(await atOnce(24, () => company.any().createContact(body, key)))).toEqual({ 201: 24 });
  }
});

test('of many updates from one reading, in several processes at once, one goes through', async () => {
  const company = await processes.company();
  const id = await company.contact();
  for (let round = 0; round < 15; round += 1) {
    const { headers, body } = await company.api.getContact(id);
    const { id: _id, created_at: _made, updated_at: _changed, company_id: _company, ...whole } = body;
    const replies = await atOnce(24, (place) =>
      company
        .any()
        .updateContact(
          id,
          { ...whole, last_name: `${round} ${place}`, fields: [] },
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
  const replies = await atOnce(240, (place) =>
    place % 3 === 0
      ? company.any().createContact({ first_name: 'Ada' })
      : company.any().createMessage({
          conversation_id: conversations[place % 2]?.id,
          type: 'text',
          payload: String(place),
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
      Array.from({ length: count }, (_, place) => place + 1),
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
    expect(statuses(await atOnce(24, () => company.any().createContact({ first_name: 'Ada' })))).toEqual({
      201: 24,
    });
  adding = false;
  await reading;
});

test('a limit on how many there may be holds, however many are made at once', async () => {
  const company = await processes.company();
  const webhook = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://1.1.1.1/' };
  const made = await atOnce(130, () => company.any().createWebhook(webhook));
  expect(statuses(made)).toEqual({ 201: 100, 422: 30 });
});
