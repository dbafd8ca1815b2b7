import { type Handler, pathTo } from '../../contract/handler.ts';
import { invalid, Refused, refusal } from '../../errors.ts';
import type { Once } from '../../idempotency/idempotency.ts';
import { holdConversation } from '../../storage/queries/conversations.ts';
import { findMessage } from '../../storage/queries/messages.ts';
import type { Store } from '../../storage/store.ts';
import { addMessage } from './add.ts';
import { presentMessage } from './present.ts';

interface Needs {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  once: Once;
}

export const getMessage: Handler<'getMessage', Needs> = async ({ path, caller }, { store }) => {
  const row = await store.read((db) => findMessage(db, caller.companyId, path.id));
  return row
    ? { status: 200, body: presentMessage(row) }
    : refusal('noSuchResource', { message: `There is no message ${path.id}.`, fields: 'path/id' });
};

/** Tokens with this scope create messages of any user (D65). */
const impersonate = 'messages:impersonate';

export const createMessage: Handler<'createMessage', Needs> = async (
  { body, caller, headers },
  { once, now },
) => {
  const { companyId, userId, scopes } = caller;
  const { conversation_id, user_id = userId, type, payload, ...unread } = body;
  // Does not compile where the contract takes a property that is not stored here.
  unread satisfies Record<string, never>;
  if (user_id !== userId && !scopes.has(impersonate))
    return refusal('scopeMissing', {
      message: `A message of user ${user_id} needs the scope ${impersonate}, which the token of user ${userId} does not have.`,
      fields: '/user_id',
    });
  const key = headers['idempotency-key'];
  const request = { companyId, key, owner: `user ${userId}`, operation: 'createMessage', body };
  return once(request, async (db) => {
    const conversation = await holdConversation(db, companyId, conversation_id);
    if (!conversation)
      throw new Refused(
        invalid([{ field: '/conversation_id', message: 'is no conversation of this company' }]),
      );
    const { id } = await addMessage(db, conversation, { user_id, type, payload }, now());
    return { status: 201, headers: { Location: pathTo('getMessage', id) }, body: { id } };
  });
};
