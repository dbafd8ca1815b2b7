import { engineOf } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/** Makes the next ID of a table larger than `last`, unless it is already. */
export const raiseIdSequence = (db: Database, table: keyof Schema, last: number): Promise<void> =>
  engineOf(db).raiseIdSequence(db, table, last);
