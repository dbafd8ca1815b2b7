import { type Selectable, sql } from 'kysely';
import { engineOf } from '../engine.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { Database } from '../store.ts';
import type { ConversationTable } from '../tables/conversations.ts';

export type ConversationRow = Selectable<ConversationTable>;

export const findConversation = (
  db: Database,
  companyId: number,
  id: number,
): Promise<ConversationRow | undefined> => live(db, companyId, id).executeTakeFirst();

/** Reads a conversation and locks it until the end of the transaction. */
export const findConversationForUpdate = (
  db: Database,
  companyId: number,
  id: number,
): Promise<ConversationRow | undefined> =>
  lockConversation(db, { companyId, id }).then(([conversation]) => conversation);

const lockConversation = preparedStatement((db, { companyId, id }: { companyId: number; id: number }) =>
  live(db, companyId, id).forNoKeyUpdate(),
);

/** Locks conversations until the end of the transaction, in order of ID. */
export async function lockConversations(
  db: Database,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  await lockAll(db, { companyId, ids: JSON.stringify(ids) });
}

const lockAll = preparedStatement((db, { companyId, ids }: { companyId: number; ids: string }) =>
  db
    .selectFrom('conversations')
    .select('id')
    .where('company_id', '=', companyId)
    .where(sql<boolean>`id in ${engineOf(db).idsIn(sql`${ids}`)}`)
    .orderBy('id')
    .forNoKeyUpdate(),
);

const live = (db: Database, companyId: number, id: number) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
