import { sql } from 'kysely';
import type { Database } from './store.ts';

// Any number will do, as long as every Parley takes the same one: these are the letters "Parley".
const parley = 0x5061726c6579;

/** An advisory lock: it needs no table, which there may not be yet, and goes with the transaction. */
export async function lockPostgres(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(parley)})`.execute(db);
}

/** The tables of the schema that new tables come into; what an extension brought is nobody's data. */
export async function tablesInPostgres(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'f')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`.execute(db);
  return rows.map(({ name }) => name);
}
