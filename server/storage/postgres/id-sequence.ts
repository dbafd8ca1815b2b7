import { type RawBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';

/** Returns the last ID that was assigned in a table; 0 before the first one. */
export const lastIdInPostgres = async (db: Database, table: keyof Schema): Promise<number> =>
  lastIdOf(db, await sequenceOf(db, table));

/**
 * Makes the next ID of a table larger than `last`, unless it is already. `setval` would survive a rollback, and so would
 * the IDs that the transaction takes afterwards. After ALTER SEQUENCE, a rollback restores the sequence. It needs the
 * owner.
 * @throws Error if the user of the database does not own the sequence
 */
export async function raiseInPostgres(db: Database, table: keyof Schema, last: number): Promise<void> {
  const sequence = await sequenceOf(db, table);
  if ((await lastIdOf(db, sequence)) >= last) return;
  await assertOwner(db, table);
  // Changes nothing, but locks the sequence, so that no other transaction takes an ID before it is raised.
  await sql`alter sequence ${sequence} no cycle`.execute(db);
  if ((await lastIdOf(db, sequence)) >= last) return;
  await sql`alter sequence ${sequence} restart with ${sql.lit(last + 1)}`.execute(db);
}

async function lastIdOf(db: Database, sequence: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ last: string }>`
    select case when is_called then last_value else last_value - 1 end as last from ${sequence}`.execute(db);
  return Number(rows[0]?.last ?? 0);
}

async function assertOwner(db: Database, table: keyof Schema): Promise<void> {
  const { rows } = await sql<{ owner: string }>`
    select pg_get_userbyid(relowner) as owner from pg_class
    where oid = pg_get_serial_sequence(${table}, 'id')::regclass and not pg_has_role(relowner, 'usage')`.execute(
    db,
  );
  const [other] = rows;
  if (other)
    throw new Error(
      `Only the owner of the table ${table} can raise its IDs. Set DATABASE_URL to that of the user ${other.owner}.`,
    );
}

/** Partitioning a table changes the name of its sequence. */
async function sequenceOf(db: Database, table: keyof Schema): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = pg_get_serial_sequence(${table}, 'id')::regclass`.execute(db);
  const [found] = rows;
  if (!found) throw new Error(`The table ${table} has no sequence of IDs.`);
  return sql.id(found.schema, found.name);
}
