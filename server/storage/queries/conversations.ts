import { type Selectable, sql } from 'kysely';
import { isAfter, startOf } from '../creation-spans.ts';
import { engineOf } from '../engine.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { Database } from '../store.ts';
import type { ConversationTable } from '../tables/conversations.ts';
import { findCreatedBetween } from './created-between.ts';

export type ConversationRow = Selectable<ConversationTable>;

interface ConversationFilter {
  companyId: number;
  /** Earliest creation time, in milliseconds since 1970. */
  from: number | undefined;
  /** End of the creation time range (exclusive). */
  to: number | undefined;
}

export interface ConversationPage extends ConversationFilter {
  order: 'asc' | 'desc';
  /** The list continues after this ID; undefined to start at its beginning. */
  after?: number | undefined;
  limit: number;
  offset: number;
}

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

export async function listConversationRows(db: Database, page: ConversationPage): Promise<ConversationRow[]> {
  const cursor = { after: page.after ?? startOf(page.order), order: page.order };
  const within = { table: 'conversations', includeAnonymous: true, ...page, cursor } as const;
  const ids = await findCreatedBetween(db, within, page);
  if (ids?.length === 0) return [];
  // The IDs already satisfy the date range. Repeating it could make the database scan the whole range.
  const all = filterConversations(
    db,
    ids ? { companyId: page.companyId, from: undefined, to: undefined } : page,
  )
    .selectAll()
    .orderBy('id', page.order);
  return ids
    ? all.where('id', 'in', ids).execute()
    : all.where(isAfter(cursor)).limit(page.limit).offset(page.offset).execute();
}

export async function countConversations(db: Database, filter: ConversationFilter): Promise<number> {
  const { count } = await filterConversations(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function filterConversations(db: Database, { companyId, from, to }: ConversationFilter) {
  let query = db
    .selectFrom('conversations')
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return query;
}
