import { type Generated, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import { lastAssignedId, raiseIdSequence } from './id-sequence.ts';

type NumberedTable = {
  [Name in keyof Schema]: Schema[Name] extends { id: Generated<number> } ? Name : never;
}[keyof Schema];

// The tables whose IDs are assigned in order. If one is missing here, the code does not compile.
const numbered: Record<NumberedTable, true> = {
  companies: true,
  tokens: true,
  fields: true,
  contacts: true,
  conversations: true,
  messages: true,
  webhooks: true,
  audit_records: true,
};
const numberedTables = Object.keys(numbered) as NumberedTable[];

/**
 * Makes the IDs of all tables and the sequences of all webhooks continue further up, so that none is assigned again that
 * was assigned after a backup.
 * @returns the number of webhooks
 */
export async function advanceIds(db: Database, by: number): Promise<{ webhooks: number }> {
  for (const table of numberedTables) {
    const { last } = await db
      .selectFrom(table)
      .select(sql<number | null>`max(id)`.as('last'))
      .executeTakeFirstOrThrow();
    // A table that is empty in the backup may have had rows after it. A dump of the data alone contains no sequences.
    const highest = Math.max(Number(last ?? 0), await lastAssignedId(db, table));
    await raiseIdSequence(db, table, highest + by);
  }
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set((eb) => ({ last_sequence: eb('last_sequence', '+', by) }))
    .executeTakeFirst();
  return { webhooks: Number(numUpdatedRows) };
}
