import { engineOf } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/** Returns the last ID that was assigned in a table, even if its row is gone; 0 before the first one. */
export const lastAssignedId = (db: Database, table: keyof Schema): Promise<number> =>
  engineOf(db).lastAssignedId(db, table);

/**
 * Makes the next ID of a table larger than `last`, unless it is already. If the transaction is rolled back, the IDs
 * continue as before it.
 */
export const raiseIdSequence = (db: Database, table: keyof Schema, last: number): Promise<void> =>
  engineOf(db).raiseIdSequence(db, table, last);
