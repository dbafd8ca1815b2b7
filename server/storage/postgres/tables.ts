import { sql } from 'kysely';
import type { Database } from '../store.ts';

/** Returns the tables of the default schema, without those of extensions. */
export async function tablesInPostgres(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'f')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`.execute(db);
  return rows.map(({ name }) => name);
}

/** Updates planner statistics. Autovacuum would do so only a minute later, and queries would be slow until then. */
export async function analyzePostgres(db: Database): Promise<void> {
  await sql`analyze`.execute(db);
}
