import { sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/** Makes the next ID of a table larger than `last`, unless it is already. */
export async function raiseInSqlite(db: Database, table: keyof Schema, last: number): Promise<void> {
  // The table has a row only after its first insert.
  await sql`insert into sqlite_sequence (name, seq)
    select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
  await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(db);
}
