import { expect, test } from 'vitest';
import { maxMessageBytes } from '../../../../server/features/conversations/embed-messages.ts';
import {
  archiveConversation,
  closeConversation,
  deleteConversation,
} from '../../../../server/features/conversations/update.ts';
import { deleteMessage, editMessage } from '../../../../server/features/messages/update.ts';
import { insertMany } from '../../../../server/storage/queries/bulk.ts';
import type { ApiReply } from '../../../support/api-client.ts';
import { startService } from '../../../support/service.ts';

const idsIn = ({ body }: ApiReply): number[] => body.map(({ id }: { id: number }) => id);
const messageIdsIn = (conversation: { messages: { id: number }[] }) =>
  conversation.messages.map(({ id }) => id);

async function withConversation() {
  const service = await startService();
  const contact = await service.company.contact();
  const conversation = await service.company.conversation({ caller_id: contact });
  return { ...service, contact, conversation };
}

type Service = Awaited<ReturnType<typeof withConversation>>;

/** Stores one message for each payload directly in the database, as an import does. */
const fill = ({ store, company }: Service, conversationId: number, payloads: readonly string[]) =>
  store.write((db) =>
    insertMany(
      db,
      'messages',
      payloads.map((payload) => ({
        company_id: company.id,
        conversation_id: conversationId,
        user_id: null,
        type: 'text' as const,
        payload,
        payload_bytes: Buffer.byteLength(payload),
        new: 1 as const,
        read: 0 as const,
        created_at: 1,
        updated_at: 1,
        deleted_at: null,
      })),
    ),
  );

test('lists conversations in pages ordered by ID, each with its messages oldest first', async () => {
  const { api, company, contact, conversation } = await withConversation();
  const others = [
    await company.conversation({ caller_id: contact, service: 'mail' }),
    await company.conversation({ caller_id: contact, service: 'twitter' }),
  ];
  const [first, second] = [await company.message(conversation), await company.message(conversation)];
  const page = await api.listConversations('?per_page=2', { prefer: 'count=exact' });
  expect(idsIn(page)).toEqual([conversation.id, others[0]?.id]);
  expect(page.body.map(messageIdsIn)).toEqual([[first.id, second.id], []]);
  expect([page.headers.get('x-total-count'), page.headers.get('x-truncated-conversations')]).toEqual([
    '3',
    null,
  ]);
});

test('lists and gets conversations over each channel', async () => {
  const { api, company, contact } = await withConversation();
  for (const service of ['telegram', 'facebook', 'twitter'] as const) {
    const opened = await company.conversation({ caller_id: contact, service });
    expect((await api.getConversation(opened.id)).body).toMatchObject({ service });
    expect((await api.listConversations('?per_page=9')).body.at(-1)).toMatchObject({ service });
  }
});

test('lists closed and archived conversations, but no deleted ones or their messages', async () => {
  const service = await withConversation();
  const { api, store, company, contact, conversation, now } = service;
  const [closed, archived] = [
    await company.conversation({ caller_id: contact }),
    await company.conversation({ caller_id: contact }),
  ];
  const message = await company.message(conversation);
  const at = (id: number) => ({ companyId: company.id, id, now: now() });
  await store.write(async (db) => {
    await closeConversation(db, at(closed.id));
    await archiveConversation(db, at(archived.id));
    await deleteConversation(db, at(conversation.id));
  });
  expect(idsIn(await api.listConversations())).toEqual([closed.id, archived.id]);
  expect(await api.getConversation(conversation.id)).toBeApiError(404, 40401, 'path/id');
  expect(await api.getMessage(message.id)).toBeApiError(404, 40401, 'path/id');
  expect(
    await api.createMessage({ conversation_id: conversation.id, type: 'text', payload: 'x' }),
  ).toBeApiError(422, 42201, '/conversation_id');
});

test('a list contains the newest hundred messages per conversation, and names truncated conversations', async () => {
  const service = await withConversation();
  const { api, company, contact, conversation } = service;
  const other = await company.conversation({ caller_id: contact });
  const ids = await fill(service, conversation.id, Array(101).fill('x'));
  const otherIds = await fill(service, other.id, Array(100).fill('x'));
  const list = await api.listConversations();
  expect(list.body.map(messageIdsIn)).toEqual([ids.slice(1), otherIds]);
  expect(list.headers.get('x-truncated-conversations')).toBe(String(conversation.id));
});

test('getConversation returns the newest thousand messages, and messages_before returns the older ones', async () => {
  const service = await withConversation();
  const { api, conversation } = service;
  const ids = await fill(service, conversation.id, Array(2_001).fill('x'));
  const seen: number[] = [];
  let query = '';
  for (let page = 0; page < 3; page += 1) {
    const reply = await api.getConversation(conversation.id, query);
    const part = messageIdsIn(reply.body);
    expect(part).toHaveLength([1_000, 1_000, 1][page] ?? 0);
    seen.unshift(...part);
    const isLast = page === 2;
    expect(reply.headers.get('x-truncated-conversations')).toBe(isLast ? null : String(conversation.id));
    query = `?messages_before=${part[0]}`;
  }
  expect(seen).toEqual(ids);
  expect(
    messageIdsIn((await api.getConversation(conversation.id, `?messages_before=${ids[0]}`)).body),
  ).toEqual([]);
});

test('deleted messages are not returned and do not count toward the message limit', async () => {
  const service = await withConversation();
  const { api, store, company, conversation, now } = service;
  const ids = await fill(service, conversation.id, Array(101).fill('x'));
  await store.write((db) => deleteMessage(db, { companyId: company.id, id: ids[50] ?? 0, now: now() }));
  const list = await api.listConversations();
  expect(messageIdsIn(list.body[0])).toEqual(ids.filter((id) => id !== ids[50]));
  expect(list.headers.get('x-truncated-conversations')).toBeNull();
});

test('a response contains at most 8 MiB of payload, and the rest can be requested', async () => {
  const service = await withConversation();
  const { api, company, contact, conversation } = service;
  // Each character takes three bytes in UTF-8: the limit counts bytes, not characters.
  const large = '\u20ac'.repeat(65_536);
  const ids = await fill(service, conversation.id, Array(60).fill(large));
  const bytesOf = (messages: { payload: string }[]) =>
    messages.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);

  const first = await api.getConversation(conversation.id);
  expect(first.headers.get('x-truncated-conversations')).toBe(String(conversation.id));
  expect(bytesOf(first.body.messages)).toBeLessThanOrEqual(maxMessageBytes);
  const shown = messageIdsIn(first.body);
  expect(shown).toEqual(ids.slice(-42));
  const older = await api.getConversation(conversation.id, `?messages_before=${shown[0]}`);
  expect(messageIdsIn(older.body)).toEqual(ids.slice(0, -42));

  const other = await company.conversation({ caller_id: contact });
  await fill(service, other.id, Array(60).fill(large));
  const list = await api.listConversations();
  expect(list.headers.get('x-truncated-conversations')).toBe(`${conversation.id}, ${other.id}`);
  expect(list.body.map((each: { messages: [] }) => each.messages.length)).toEqual([21, 21]);
});

test('the size of a message is that of its JSON text, whether it was created, edited or imported', async () => {
  const { api, store, company, conversation, now } = await withConversation();
  // In JSON, a control character takes six bytes, and this text ten bytes with its quotes.
  const payload = '\u0001aa';
  const created = { conversation_id: conversation.id, type: 'text', payload };
  expect((await api.createMessage(created)).status).toBe(201);
  const { id } = (await api.createMessage({ ...created, payload: 'x' })).body;
  await store.write((db) => editMessage(db, { companyId: company.id, id, now: now() }, payload));
  await company.import([{ kind: 'message', key: 'm', ...created }]);
  const sizes = await store.read((db) => db.selectFrom('messages').select('payload_bytes').execute());
  expect(sizes.map(({ payload_bytes }) => payload_bytes)).toEqual([10, 10, 10]);
});
