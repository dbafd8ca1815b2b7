import { sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import { raiseIdSequence } from './id-sequence.ts';

/** The tables whose IDs are assigned in order. */
const numberedTables = [
  'companies',
  'tokens',
  'fields',
  'contacts',
  'conversations',
  'messages',
  'webhooks',
] as const satisfies (keyof Schema)[];

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
    if (last !== null) await raiseIdSequence(db, table, Number(last) + by);
  }
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set((eb) => ({ last_sequence: eb('last_sequence', '+', by) }))
    .executeTakeFirst();
  return { webhooks: Number(numUpdatedRows) };
}
