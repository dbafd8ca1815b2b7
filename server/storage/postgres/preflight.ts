import { sql } from 'kysely';
import { tableNames } from '../schema.ts';
import type { Database } from '../store.ts';

const oldest = 130_000;

/** @throws Error if the database cannot store Parley's data */
export async function assertUsableDatabase(db: Database): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding`.execute(db);
  const { version = 0, encoding } = rows[0] ?? {};
  if (version < oldest) throw new Error('PostgreSQL 13 or newer is needed.');
  if (encoding !== 'UTF8')
    throw new Error(
      `its encoding is ${encoding}. Create one with: create database parley encoding 'UTF8' locale 'C.UTF-8' template template0;`,
    );
  await assertOwnSessions(db);
}

/** PgBouncer in transaction mode gives statements of two connections the same session, and those of one several. */
async function assertOwnSessions(db: Database): Promise<void> {
  const session = async (on: Database): Promise<number | undefined> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid;
  await db.connection().execute(async (one) => {
    const [before, other, after] = [await session(one), await session(db), await session(one)];
    if (before === other || before !== after)
      throw new Error('its connections share sessions. If it is PgBouncer, set pool_mode=session.');
  });
}

/**
 * Checks the privileges before a migration, because PostgreSQL itself reports missing ones only in the middle of it.
 * @throws Error if the user may not create the schema
 */
export async function assertPrivileges(db: Database): Promise<void> {
  const { rows } = await sql<{ schema: string | null; tables: boolean; extensions: boolean }>`
    select current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as tables,
      has_database_privilege(current_database(), 'create')
        or (select count(*) = 2 from pg_extension where extname in ('pg_trgm', 'btree_gin')) as extensions`.execute(
    db,
  );
  const { schema = null, tables = false, extensions = false } = rows[0] ?? {};
  if (schema === null) throw new Error('there is no schema for its tables. See search_path.');
  if (!tables || !extensions)
    throw new Error(
      `the user may not create ${tables ? 'extensions' : 'tables'}. Make the user its owner: alter database … owner to …`,
    );
}

/** @throws Error if there is a table that the user may not read and write */
export async function assertTablesAccessible(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
      and tablename in (${sql.join(tableNames)})
      and exists (select from unnest(array['select', 'insert', 'update', 'delete']) as needed
        where not has_table_privilege(format('%I.%I', schemaname, tablename), needed))`.execute(db);
  const [table] = rows;
  if (table)
    throw new Error(
      `the user may not read and write the table ${table.name}. Grant it, or make the user its owner.`,
    );
}
