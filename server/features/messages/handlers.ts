import { ApiError } from '../../contract/errors.ts';
import { errorResponse, validationError } from '../../errors.ts';
import { pathTo, type ResponseTo, readBody } from '../../own-contract/handler.ts';
import { findConversationForUpdate, lockConversations } from '../../storage/queries/conversations.ts';
import { findMessage } from '../../storage/queries/messages.ts';
import type { WriteGroup } from '../../storage/store.ts';
import type { ApiHandler } from '../api-handler.ts';
import { recordChange } from '../audit/record-change.ts';
import { addMessage } from './add.ts';
import { presentMessage } from './present.ts';

export const getMessage: ApiHandler<'getMessage'> = async (
  { path, caller },
  { store },
): Promise<ResponseTo<'getMessage'>> => {
  const row = await store.read((db) => findMessage(db, caller.companyId, path.id));
  return row
    ? { status: 200, body: presentMessage(row) }
    : errorResponse('notFound', { message: `There is no message ${path.id}.`, fields: 'path/id' });
};

/** Tokens with this scope may create messages as any user (D65). */
const impersonate = 'messages:impersonate';

export const createMessage: ApiHandler<'createMessage'> = async (
  input,
  { runIdempotent, now },
): Promise<ResponseTo<'createMessage'>> => {
  const { body, caller, headers } = input;
  const { companyId, userId, scopes } = caller;
  const { conversation_id, user_id, type, payload } = readBody(
    body,
    ({ conversation_id, user_id = userId, type, payload, ...remaining }) =>
      [{ conversation_id, user_id, type, payload }, remaining] as const,
  );
  if (user_id !== userId && !scopes.has(impersonate))
    return errorResponse('scopeMissing', {
      message: `A message of user ${user_id} needs the scope ${impersonate}, which the token of user ${userId} does not have.`,
      fields: '/user_id',
    });
  const key = headers['idempotency-key'];
  const group: WriteGroup = {
    name: 'messages',
    subject: conversation_id,
    lock: (db, conversations) => lockConversations(db, companyId, conversations),
  };
  const request = { caller, key, operation: 'createMessage', body, group };
  return runIdempotent(request, async (db) => {
    const conversation = await findConversationForUpdate(db, companyId, conversation_id);
    if (!conversation)
      throw new ApiError(
        validationError([{ field: '/conversation_id', message: 'is not a conversation of this company' }]),
      );
    const createdAt = now();
    const { id } = await addMessage(db, conversation, { user_id, type, payload }, createdAt, (created) =>
      recordChange(db, input, 'createMessage', created, createdAt),
    );
    return { status: 201, headers: { Location: pathTo('getMessage', id) }, body: { id } };
  });
};
