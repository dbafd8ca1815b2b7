import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Schema, TablesWith } from '../schema.ts';
import type { Database } from '../store.ts';

/* Statements that are the same for all tables of a company whose rows have an ID. */

/** A table of a company whose rows have an ID. */
export type EntityTable = TablesWith<{ isOwned: true; key: readonly ['id'] }>;

/** @returns the ID of the row */
export async function insertRow<Name extends EntityTable>(
  db: Database,
  table: Name,
  row: Insertable<Schema[Name]>,
): Promise<number> {
  // The type of a row depends on the name of its table, which Kysely's types cannot follow. So do the types below.
  const { id } = await db
    .insertInto<EntityTable>(table)
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns whether the row exists */
export async function updateRow<Name extends EntityTable>(
  db: Database,
  table: Name,
  { company_id, id }: { company_id: number; id: number },
  change: Updateable<Schema[Name]>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable<EntityTable>(table)
    .set(change as never)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lists the next batch of a company's rows after an ID, deleted ones included. */
export async function listRows<Name extends EntityTable>(
  db: Database,
  table: Name,
  companyId: number,
  { after = 0, limit }: { after?: number; limit?: number } = {},
): Promise<Selectable<Schema[Name]>[]> {
  let query = db
    .selectFrom<EntityTable>(table)
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id');
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()) as never;
}
