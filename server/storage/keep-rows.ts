import { sql } from 'kysely';
import type { Schema } from './schema.ts';
import type { Database } from './store.ts';

/** Rejects updates of a table's rows, and deletions of rows that were created less than `days` ago. */
export async function keepRowsInSqlite(db: Database, table: keyof Schema, days: number): Promise<void> {
  const reject = sql`begin select raise(abort, ${sql.lit(`Rows of ${table} cannot be changed.`)}); end`;
  await sql`create trigger ${sql.id(`${table}_update`)} before update on ${sql.table(table)} ${reject}`.execute(
    db,
  );
  await sql`create trigger ${sql.id(`${table}_delete`)} before delete on ${sql.table(table)}
    when old.created_at >= (unixepoch() - ${sql.lit(days * 86_400)}) * 1000 ${reject}`.execute(db);
}

export async function keepRowsInPostgres(db: Database, table: keyof Schema, days: number): Promise<void> {
  const name = sql.id(`${table}_are_kept`);
  await sql`create function ${name}() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and old.created_at < (extract(epoch from clock_timestamp()) - ${sql.lit(days * 86_400)}) * 1000
      then return old; end if;
    raise exception 'Rows of % cannot be changed.', tg_table_name;
  end $$`.execute(db);
  await sql`create trigger ${name} before update or delete on ${sql.table(table)}
    for each row execute function ${name}()`.execute(db);
}
