import { sql } from 'kysely';
import { tables } from '../../../generated/tables.ts';
import { engineOf } from '../engine.ts';
import { type TablesWith, tableNames } from '../schema.ts';
import type { Database } from '../store.ts';

const isNumbered = (name: keyof typeof tables): name is TablesWith<{ key: readonly ['id'] }> =>
  tables[name].key[0] === 'id';

/**
 * Makes the IDs of all tables and the sequences of all webhooks continue further up, so that none is assigned again that
 * was assigned after a backup.
 */
export async function advanceIds(db: Database, by: number): Promise<void> {
  for (const table of tableNames.filter(isNumbered)) {
    const { last } = await db
      .selectFrom(table)
      .select(sql<number | null>`max(id)`.as('last'))
      .executeTakeFirstOrThrow();
    // A table that is empty in the backup may have had rows after it. A dump of the data alone contains no sequences.
    const highest = Math.max(Number(last ?? 0), await engineOf(db).lastAssignedId(db, table));
    await engineOf(db).raiseIdSequence(db, table, highest + by);
  }
  await db
    .updateTable('webhooks')
    .set((eb) => ({ last_sequence: eb('last_sequence', '+', by) }))
    .execute();
}
