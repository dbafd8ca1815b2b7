import { expect, test } from 'vitest';
import { messageTypes } from '../../../../server/own-contract/constants.ts';
import { startService } from '../../../support/service.ts';

test('stores messages of every type unchanged, and shows them alone and in their conversation', async () => {
  const { api, company } = await startService();
  const { id } = await company.conversation({ caller_id: await company.contact() });
  for (const type of messageTypes) {
    const created = await api.createMessage({ conversation_id: id, type, payload: `A ${type}.` });
    expect((await api.getMessage(created.body.id)).body).toMatchObject({ type, payload: `A ${type}.` });
  }
  const { body } = await api.getConversation(id);
  const shown = body.messages.map(({ type, payload }: { type: string; payload: string }) => [type, payload]);
  expect(shown).toEqual(messageTypes.map((type) => [type, `A ${type}.`]));
});
