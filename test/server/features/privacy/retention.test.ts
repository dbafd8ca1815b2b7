import { expect, test } from 'vitest';
import { eraseExpired } from '../../../../server/features/privacy/retention.ts';
import { updateRow } from '../../../../server/storage/queries/rows.ts';
import { startService } from '../../../support/service.ts';
import { allRows, countInFiles, createTraceableContact } from './traceable-contact.ts';

const dayMs = 86_400_000;
const forEver = { retentionDeletedDays: null, retentionClosedDays: null };

test('keeps deleted data for the retention period, and then erases every trace of it', async () => {
  let now = Date.now();
  const { company, store, database } = await startService({ now: () => now });
  const { id } = await createTraceableContact(company, 'Zyxw');
  await createTraceableContact(company, 'Stays');
  await company.run(`contact delete --contact ${id}`);
  now = Date.now() + 29 * dayMs;
  const keep = { ...forEver, retentionDeletedDays: 30 };
  await eraseExpired(store, keep, now);
  expect(await allRows(store)).toContain('ZyxwSaid');
  await eraseExpired(store, forEver, now + 999 * dayMs);
  expect(await allRows(store)).toContain('ZyxwSaid');
  expect(await eraseExpired(store, keep, now + 2 * dayMs)).toMatchObject({ contacts: 1, messages: 3 });
  expect(await allRows(store)).not.toContain('Zyxw');
  expect(countInFiles(database, 'Zyxw')).toBe(0);
  expect(await allRows(store)).toContain('StaysSaid');
});

test('erases an expired deleted message, but not its conversation', async () => {
  const { company, store, api } = await startService();
  const { conversationId } = await createTraceableContact(company, 'Zyxw');
  const [first] = (await api.getConversation(conversationId)).body.messages;
  await company.run(`message update --message ${first.id} --deleted`);
  const erased = await eraseExpired(store, { ...forEver, retentionDeletedDays: 1 }, Date.now() + 2 * dayMs);
  expect(erased).toMatchObject({ contacts: 0, conversations: 0, messages: 1 });
  expect((await api.getConversation(conversationId)).body.messages).toHaveLength(1);
});

test('erases a closed conversation and its messages after the retention period', async () => {
  const { company, store, api } = await startService();
  const { conversationId, id } = await createTraceableContact(company, 'Zyxw');
  const keep = { ...forEver, retentionClosedDays: 10 };
  const later = Date.now() + 11 * dayMs;
  await eraseExpired(store, keep, later);
  expect((await api.getConversation(conversationId)).status).toBe(200);
  await company.run(`conversation update --conversation ${conversationId} --state closed`);
  await eraseExpired(store, keep, Date.now() + 9 * dayMs);
  expect((await api.getConversation(conversationId)).status).toBe(200);
  expect(await eraseExpired(store, keep, later)).toMatchObject({
    contacts: 0,
    conversations: 1,
    messages: 2,
  });
  expect(await api.getConversation(conversationId)).toBeApiError(404, 40401);
  expect((await api.getContact(id)).status).toBe(200);
  expect(await allRows(store)).not.toContain('ZyxwSaid');
});

test('keeps a closed conversation and its messages if it is reopened during an erasure run', async () => {
  const { company, store, api } = await startService();
  const contact = await company.contact();
  const conversations = [];
  for (let count = 0; count < 2; count += 1) {
    const conversation = await company.conversation({ caller_id: contact, is_closed: 1 });
    await company.message(conversation);
    await store.write((db) =>
      updateRow(db, 'conversations', { company_id: company.id, id: conversation.id }, { is_closed: 1 }),
    );
    conversations.push(conversation.id);
  }
  const [first = 0, second = 0] = conversations;
  let isOpened = false;
  const wrappedStore = {
    ...store,
    write: async (...given: Parameters<typeof store.write>) => {
      const done = await store.write(...given);
      // Reopens the second conversation after the first write of the run.
      if (!isOpened)
        await store.write((db) =>
          updateRow(db, 'conversations', { company_id: company.id, id: second }, { is_closed: 0 }),
        );
      isOpened = true;
      return done;
    },
  } as typeof store;
  const erased = await eraseExpired(
    wrappedStore,
    { ...forEver, retentionClosedDays: 1 },
    Date.now() + 2 * dayMs,
  );
  expect(erased).toMatchObject({ conversations: 1, messages: 1 });
  expect(await api.getConversation(first)).toBeApiError(404, 40401);
  expect((await api.getConversation(second)).body.messages).toHaveLength(1);
});
