import { expect, test } from 'vitest';
import { archiveConversation, closeConversation } from '../../../../server/features/conversations/update.ts';
import { startService } from '../../../support/service.ts';

async function withConversation() {
  let clock = Date.parse('2026-03-05T14:00:00.000Z');
  const service = await startService({ now: () => clock });
  const conversation = await service.company.conversation({ caller_id: await service.company.contact() });
  clock += 1_000;
  const send = (more: object = {}) =>
    service.api.createMessage({ conversation_id: conversation.id, type: 'text', payload: 'Hello', ...more });
  return { ...service, conversation, send };
}

test("a message created without user_id gets the token's user, and user_id null is rejected", async () => {
  const { api, company, conversation, send } = await withConversation();
  expect((await api.getMessage((await send()).body.id)).body.user_id).toBe(17);
  expect((await api.getMessage((await company.message(conversation)).id)).body.user_id).toBeNull();
  expect(await send({ user_id: null })).toBeApiError(422, 42201, '/user_id');
});

test('a conversation is new until a user of the company writes', async () => {
  const { api, company, conversation, send } = await withConversation();
  const state = async () => (await api.getConversation(conversation.id)).body;
  expect(await state()).toMatchObject({ new: true });
  await company.message(conversation);
  expect(await state()).toMatchObject({ new: true, updated_at: '2026-03-05T14:00:00.000Z' });
  await send();
  expect(await state()).toMatchObject({ new: false, updated_at: '2026-03-05T14:00:01.000Z' });
});

test.each([
  ['a user of the company', true],
  ['the contact', false],
])('reopens a closed and archived conversation when %s writes', async (_who, byCompany) => {
  const { api, store, company, conversation, send, now } = await withConversation();
  const at = { companyId: company.id, id: conversation.id, now: now() };
  const closed = await store.write(async (db) => {
    await closeConversation(db, at);
    return archiveConversation(db, at);
  });
  expect((await api.getConversation(conversation.id)).body).toMatchObject({
    is_closed: true,
    archived: '2026-03-05T14:00:01.000Z',
  });
  if (byCompany) await send();
  else await company.message(closed);
  expect((await api.getConversation(conversation.id)).body).toMatchObject({
    is_closed: false,
    archived: null,
  });
});

test('creates messages as another user only for a token with the scope messages:impersonate', async () => {
  const { company, conversation, api } = await withConversation();
  const body = { conversation_id: conversation.id, type: 'text', payload: 'Hello' };
  const write = ['messages:write'];
  const { api: own } = await company.token(write, 90, 1);
  for (const allowed of [body, { ...body, user_id: 1 }]) {
    const created = await own.createMessage(allowed);
    expect(created.status).toBe(201);
    expect((await api.getMessage(created.body.id)).body.user_id).toBe(1);
  }
  const rejected = await own.createMessage({ ...body, user_id: 424_242 });
  expect(rejected).toBeApiError(403, 40301, '/user_id');
  expect(rejected.body.message).toContain('messages:impersonate');
  const { api: relay } = await company.token([...write, 'messages:impersonate'], 90, 1);
  expect((await relay.createMessage({ ...body, user_id: 424_242 })).status).toBe(201);
});
