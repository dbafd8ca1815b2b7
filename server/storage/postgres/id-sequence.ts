import { sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/** Makes the next ID of a table larger than `last`, unless it is already. The current next ID is used up. */
export async function raiseInPostgres(db: Database, table: keyof Schema, last: number): Promise<void> {
  await sql`select setval(sequence, greatest(nextval(sequence), ${last}))
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence) as identity`.execute(db);
}
