import { expect, test } from 'vitest';
import { startService } from '../../support/service.ts';

test('the API reflects each operator command on a conversation and its messages', async () => {
  const { api, company } = await startService();
  const contact = String(await company.contact());
  const opened = await company.run(`conversation open --contact ${contact} --service whatsapp`);
  const id = opened.id;
  const now = async () => (await api.getConversation(id)).body;
  expect(await now()).toEqual(opened);
  expect(opened).toMatchObject({
    service: 'whatsapp',
    user_id: null,
    new: true,
    is_closed: false,
    messages: [],
  });

  const here = `--conversation ${id}`;
  const received = await company.run(`message receive ${here} --payload Where --type text`);
  expect((await api.getMessage(received.id)).body).toEqual(received);
  expect(received).toMatchObject({ user_id: null, new: true, read: false });

  await company.run(`message update --message ${received.id} --read`);
  await company.run(`message update --message ${received.id} --payload Here`);
  expect((await api.getMessage(received.id)).body).toMatchObject({
    read: true,
    new: false,
    payload: 'Here',
  });

  await company.run(`conversation update ${here} --forward-to-team 5`);
  await company.run(`conversation update ${here} --forward-to-agent 23`);
  await company.run(`conversation update ${here} --state closed`);
  const archived = await company.run(`conversation update ${here} --state archived`);
  expect(await now()).toMatchObject({
    team_id: 5,
    user_id: 23,
    is_closed: true,
    archived: archived.archived,
  });
  expect((await company.run(`conversation update ${here} --state archived`)).archived).toBe(
    archived.archived,
  );

  await company.run(`message update --message ${received.id} --deleted`);
  expect(await api.getMessage(received.id)).toBeApiError(404, 40401);
  await company.run(`conversation update ${here} --state deleted`);
  expect(await api.getConversation(id)).toBeApiError(404, 40401);
});

test('changes by the operator publish events', async () => {
  const { company } = await startService();
  const updates = await company.webhook({ entity_id: 1, action_id: 2 });
  const messages = await company.webhook({ entity_id: 5, action_id: 1 });
  const contact = String(await company.contact());
  const { id } = await company.run(`conversation open --contact ${contact} --service mail`);
  await company.run(`conversation update --conversation ${id} --state closed`);
  await company.run(`message receive --conversation ${id} --payload Again`);
  expect((await company.events(updates)).map(({ event }) => event.meta.changed)).toEqual([
    ['is_closed'],
    ['is_closed'],
  ]);
  expect((await company.events(messages)).map(({ event }) => event.data.user_id)).toEqual([null]);
});

test('contact delete hides the contact, frees its unique values and keeps its conversations', async () => {
  const { api, company } = await startService();
  const field = await company.field({ isUnique: true });
  const fields = [{ id: field.id, value: 'A' }];
  const id = await company.contact({ fields });
  const conversation = await company.conversation({ caller_id: id });
  await company.run(`contact delete --contact ${id}`);
  expect(await api.getContact(id)).toBeApiError(404, 40401);
  expect((await api.createContact({ fields })).status).toBe(201);
  expect((await api.getConversation(conversation.id)).body.caller_id).toBe(id);
});

test('message receive reads a payload from standard input, and removes only the last line break', async () => {
  const { api, company, parley } = await startService();
  const { id } = await company.conversation({ caller_id: await company.contact() });
  const receive = `message receive --company ${company.id} --conversation ${id} --payload - --json`;
  const { out } = await parley.reading(' two\nlines \n', receive);
  expect((await api.getMessage(JSON.parse(out).id)).body.payload).toBe(' two\nlines ');
});

test.each([
  ['conversation update --conversation 99 --state closed', 'has no conversation 99'],
  ['conversation open --contact 99 --service mail', 'has no contact 99'],
  ['message update --message 99 --read', 'has no message 99'],
  ['message receive --conversation 99 --payload x', 'has no conversation 99'],
  ['contact delete --contact 99', 'has no contact 99'],
  ['message receive --conversation 1 --payload ', '/payload must have at least 1 character'],
  ['message update --message 1 --payload ', '/payload'],
  [`message update --message 1 --payload ${'x'.repeat(65_537)}`, '/payload'],
])('rejects parley %s: exit code 1, with the reason', async (given, why) => {
  const { company, parley } = await startService();
  await company.message(await company.conversation({ caller_id: await company.contact() }));
  const failed = await parley(given, '--company', company.id);
  expect(failed).toFail(1, why);
  expect(failed.out).toBe('');
});
