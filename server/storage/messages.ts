import type { Insertable, Selectable, Updateable } from 'kysely';
import type { MessageTable } from './schema.ts';
import type { Database } from './store.ts';

export type MessageRow = Selectable<MessageTable>;

/** How much one message adds to an answer. */
export interface MessageSize {
  id: number;
  conversation_id: number;
  payload_bytes: number;
}

/** The messages of one conversation from one of them on, up to another, which is not among them. */
export interface MessageRange {
  conversationId: number;
  from: number;
  before: number;
}

/** A live message of a live conversation: those of a deleted one went with it (D39). */
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

/**
 * The sizes of the newest messages of each conversation, newest first.
 * @param most how many of each
 * @param before only messages with a smaller id
 */
export function listNewestSizes(
  db: Database,
  companyId: number,
  conversationIds: readonly number[],
  { most, before }: { most: number; before: number },
): Promise<MessageSize[]> {
  return (
    db
      .selectFrom('conversations as c')
      .innerJoin('messages as m', (join) =>
        join.onRef('m.company_id', '=', 'c.company_id').onRef('m.conversation_id', '=', 'c.id'),
      )
      .select(['m.id', 'm.conversation_id', 'm.payload_bytes'])
      .where('c.company_id', '=', companyId)
      .where('c.id', 'in', conversationIds)
      .where('m.deleted_at', 'is', null)
      .where('m.id', '<', before)
      // The oldest of the newest, found once for each conversation; where there are fewer, all of them count.
      .where('m.id', '>=', (eb) =>
        eb.fn.coalesce(
          eb
            .selectFrom('messages as older')
            .select('older.id')
            .whereRef('older.company_id', '=', 'c.company_id')
            .whereRef('older.conversation_id', '=', 'c.id')
            .where('older.deleted_at', 'is', null)
            .where('older.id', '<', before)
            .orderBy('older.id', 'desc')
            .limit(1)
            .offset(most - 1),
          eb.lit(0),
        ),
      )
      .orderBy('m.conversation_id')
      .orderBy('m.id', 'desc')
      .execute()
  );
}

/** The live messages of some ranges, each conversation's by id. */
export async function listMessages(
  db: Database,
  companyId: number,
  ranges: readonly MessageRange[],
): Promise<MessageRow[]> {
  if (ranges.length === 0) return [];
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null)
    .where(({ eb, or, and }) =>
      or(
        ranges.map(({ conversationId, from, before }) =>
          and([
            eb('company_id', '=', companyId),
            eb('conversation_id', '=', conversationId),
            eb('id', '>=', from),
            eb('id', '<', before),
          ]),
        ),
      ),
    )
    .execute();
  return rows.sort((one, other) => one.id - other.id);
}

/** @returns the new message's id */
export async function insertMessage(db: Database, message: Insertable<MessageTable>): Promise<number> {
  const { id } = await db.insertInto('messages').values(message).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateMessage(
  db: Database,
  companyId: number,
  id: number,
  change: Updateable<MessageTable>,
): Promise<void> {
  await db
    .updateTable('messages')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}
