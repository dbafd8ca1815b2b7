import { ApiError } from '../../server/contract/errors.ts';
import { errorFormat, validationError } from '../../server/errors.ts';
import { presentConversation } from '../../server/features/conversations/present.ts';
import { closeConversation, requireConversation } from '../../server/features/conversations/update.ts';
import { receiveMessage } from '../../server/features/messages/add.ts';
import { presentMessage } from '../../server/features/messages/present.ts';
import { markMessageRead } from '../../server/features/messages/update.ts';
import { schemaOfProperty, validatorOf } from '../../server/own-contract/validate.ts';
import { demoCaller } from '../../server/runtime/demo/seed-company.ts';
import { listMessages } from '../../server/storage/queries/messages.ts';
import type { Store, Transaction } from '../../server/storage/store.ts';
import type { StatefulService } from '../contract/config.ts';

const { companyId } = demoCaller;

/** Creates the control requests of the demo service. @param now returns milliseconds since 1970 */
export function createControlRequests(
  store: Store,
  now: () => number,
): NonNullable<StatefulService['controls']> {
  const control =
    (status: number, work: (db: Transaction, body: object) => Promise<unknown>) => async (body: unknown) => {
      try {
        const given = typeof body === 'object' && body !== null ? body : {};
        return { status, body: await store.write((db) => work(db, given)) };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.errorResponse.status, body: errorFormat.body(error.errorResponse) };
      }
    };
  return {
    messages: control(201, async (db, body) => {
      requireValid(validateMessage(body));
      const message = body as Parameters<typeof receiveMessage>[2];
      return presentMessage(await receiveMessage(db, companyId, message, now()));
    }),
    conversations: control(200, (db, body) => changeConversation(db, body, now())),
  };
}

interface ConversationChange {
  conversation_id: number;
  /** Marks all messages as read, as the read receipts of a channel do. */
  read?: true;
  closed?: true;
}

const messageProperty = (name: string) => schemaOfProperty('MessageCreate', name);

/** A message from the contact has no user. */
const validateMessage = validatorOf({
  type: 'object',
  required: ['conversation_id', 'type', 'payload'],
  additionalProperties: false,
  properties: {
    conversation_id: messageProperty('conversation_id'),
    type: messageProperty('type'),
    payload: messageProperty('payload'),
  },
});

const validateChange = validatorOf({
  type: 'object',
  required: ['conversation_id'],
  additionalProperties: false,
  minProperties: 2,
  properties: {
    conversation_id: messageProperty('conversation_id'),
    read: { const: true },
    closed: { const: true },
  },
});

function requireValid(problems: ReturnType<typeof validateChange>): void {
  if (problems.length > 0) throw new ApiError(validationError(problems));
}

async function changeConversation(db: Transaction, body: object, now: number): Promise<object> {
  requireValid(validateChange(body));
  const { conversation_id: id, read, closed } = body as ConversationChange;
  const conversation = await requireConversation(db, companyId, id);
  if (read) {
    const range = { conversationId: id, from: 0, before: Number.MAX_SAFE_INTEGER };
    for (const message of await listMessages(db, companyId, [range]))
      if (!message.read) await markMessageRead(db, { companyId, id: message.id, now });
  }
  return presentConversation(closed ? await closeConversation(db, { companyId, id, now }) : conversation);
}
