import { type SqlBool, sql } from 'kysely';
import { tables } from '../../../generated/tables.ts';
import { lockTokensExclusive } from '../locks.ts';
import { type ErasableTable, type OwnedTable, ownedFacts, ownedTables } from '../schema.ts';
import type { Database } from '../store.ts';
import type { BooleanFlag } from '../tables/define-table.ts';
import { type ContactWithValues, contactsIn, withValues } from './contact-values.ts';
import { deleteRows, is, selectRows, updateRows } from './rows.ts';

/* Queries that erase rows in batches. Callers erase children before parents. */

/** Rows per batch. SQLite allows 32,766 parameters in a statement. */
export const batchSize = 1_000;

/** Erases rows. Custom-field values and search-index entries of contacts are erased with them. */
export async function eraseRows(
  db: Database,
  companyId: number,
  table: ErasableTable,
  ids: readonly number[],
): Promise<void> {
  if (table === 'contacts') {
    // The triggers of SQLite's search index run on updates but not on deletes, so an update removes the entry first.
    await updateRows(db, 'contacts', { company_id: companyId, id: ids }, { search_text: null });
    await deleteRows(db, 'field_values', { company_id: companyId, contact_id: ids });
  }
  await deleteRows(db, table, { company_id: companyId, id: ids });
}

/** A row, with the timestamps that decide whether its retention period has ended. */
export interface Aging {
  id: number;
  deleted_at: number | null;
  updated_at: number;
  /** Conversations only. */
  is_closed?: BooleanFlag;
}

/** Lists the next batch of a company's rows after an ID, with their timestamps. */
export const listAging = (
  db: Database,
  companyId: number,
  table: ErasableTable,
  after: number,
): Promise<Aging[]> => {
  const selection = { company_id: companyId, id: is.moreThan(after) };
  const page = { orderBy: 'id', limit: batchSize } as const;
  return table === 'conversations'
    ? selectRows(db, table, ['id', 'deleted_at', 'updated_at', 'is_closed'], selection, page)
    : selectRows(db, table, ['id', 'deleted_at', 'updated_at'], selection, page);
};

/** Returns when a message of a conversation was last added or changed; 0 if the conversation has no messages. */
export async function lastMessageChangeAt(
  db: Database,
  companyId: number,
  conversationId: number,
): Promise<number> {
  const { last } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.max('updated_at').as('last'))
    .where('company_id', '=', companyId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}

/* All data of a company, deleted rows included, for export and erasure. */

/** Lists the next batch of contacts after an ID, with their values. */
export async function listAllContacts(
  db: Database,
  companyId: number,
  after: number,
): Promise<ContactWithValues[]> {
  const page = db
    .selectFrom('contacts')
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize);
  return contactsIn(await withValues(db, page).execute());
}

const { first = [], others = [] } = Object.groupBy(ownedTables, (name) =>
  ownedFacts(name).isErasedFirst ? 'first' : 'others',
);

/**
 * The tables of a company in the order in which they are erased: tokens first, so that no request adds data, then deliveries,
 * so that no more are sent, then children before parents.
 */
export const tablesToErase: readonly OwnedTable[] = [...first, ...others.toReversed()];

/** Deletes a batch of a company's rows, except claimed deliveries. @returns their number, which is less than `batchSize` in the last batch */
export async function eraseBatch(db: Database, companyId: number, table: OwnedTable): Promise<number> {
  if (table === 'tokens') await lockTokensExclusive(db, companyId);
  if (table === 'contacts')
    // The triggers of SQLite's search index run on updates but not on deletes, so an update removes the entries first.
    await sql`update contacts set search_text = null where company_id = ${companyId} and id in (
      select id from contacts where company_id = ${companyId} order by id limit ${sql.lit(batchSize)})`.execute(
      db,
    );
  const { key: columns } = tables[table];
  const key = sql.join(columns.map((name) => sql.ref(name)));
  const isFree = table === 'deliveries' ? sql`and leased_by is null` : sql``;
  const { numAffectedRows = 0n } = await sql<SqlBool>`delete from ${sql.table(table)}
    where company_id = ${companyId} ${isFree} and (${key}) in (
      select ${key} from ${sql.table(table)} where company_id = ${companyId} ${isFree}
      order by ${key} limit ${sql.lit(batchSize)})`.execute(db);
  return Number(numAffectedRows);
}
