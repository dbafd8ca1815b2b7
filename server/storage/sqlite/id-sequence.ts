import { sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/** Returns the last ID that was assigned in a table; 0 before the first one. */
export async function lastIdInSqlite(db: Database, table: keyof Schema): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
    db,
  );
  return rows[0]?.seq ?? 0;
}

/** Makes the next ID of a table larger than `last`, unless it is already. */
export async function raiseInSqlite(db: Database, table: keyof Schema, last: number): Promise<void> {
  // The table has a row only after its first insert.
  await sql`insert into sqlite_sequence (name, seq)
    select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
  await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(db);
}
