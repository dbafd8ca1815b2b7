import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { MessageTable } from '../tables/messages.ts';
import { findConversationForUpdate } from './conversations.ts';

export type MessageRow = Selectable<MessageTable>;

/** The size of a message's payload in a response. */
export interface MessageSize {
  id: number;
  conversation_id: number;
  payload_bytes: number;
}

/** Messages of a conversation whose IDs are at least `from` and less than `before`. */
export interface MessageRange {
  conversationId: number;
  from: number;
  before: number;
}

/** Reads a message, unless the message or its conversation is deleted (D39). */
export function findMessage(db: Database, companyId: number, id: number): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', (join) =>
      join.onRef('c.company_id', '=', 'm.company_id').onRef('c.id', '=', 'm.conversation_id'),
    )
    .selectAll('m')
    .where('m.company_id', '=', companyId)
    .where('m.id', '=', id)
    .where('m.deleted_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Reads a message and locks its conversation until the end of the transaction. */
export async function findMessageForUpdate(
  db: Database,
  companyId: number,
  id: number,
): Promise<MessageRow | undefined> {
  const message = await findMessage(db, companyId, id);
  if (!message || !(await findConversationForUpdate(db, companyId, message.conversation_id)))
    return undefined;
  // The message may have changed before the lock.
  return findMessage(db, companyId, id);
}

/**
 * Lists the sizes of each conversation's newest messages. One subquery per conversation makes every engine use the
 * index, which covers the query.
 * @param most maximum number of messages per conversation
 * @param before includes only messages with a smaller ID
 */
export async function listNewestSizes(
  db: Database,
  companyId: number,
  conversationIds: readonly number[],
  { most, before }: { most: number; before: number },
): Promise<MessageSize[]> {
  const [first, ...others] = conversationIds.map((conversationId) =>
    db
      .selectFrom(
        db
          .selectFrom('messages')
          .select(['id', 'conversation_id', 'payload_bytes'])
          .where('company_id', '=', companyId)
          .where('conversation_id', '=', conversationId)
          .where('deleted_at', 'is', null)
          .where('id', '<', before)
          .orderBy('id', 'desc')
          .limit(most)
          .as('newest'),
      )
      .selectAll(),
  );
  if (!first) return [];
  const sizes = await others.reduce((all, one) => all.unionAll(one), first).execute();
  return sizes.sort((one, other) => other.id - one.id);
}

/** Lists the messages of several ranges, in order of ID. */
export async function listMessages(
  db: Database,
  companyId: number,
  ranges: readonly MessageRange[],
): Promise<MessageRow[]> {
  const [first, ...others] = ranges.map(({ conversationId, from, before }) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('conversation_id', '=', conversationId)
      .where('id', '>=', from)
      .where('id', '<', before)
      .where('deleted_at', 'is', null),
  );
  if (!first) return [];
  const rows = await others.reduce((all, one) => all.unionAll(one), first).execute();
  return rows.sort((one, other) => one.id - other.id);
}
