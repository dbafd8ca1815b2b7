import { type RawBuilder, sql } from 'kysely';
import { firstOfSpansInPostgres } from '../creation-spans.ts';
import type { Engine } from '../dialect.ts';
import { findDueInPostgres } from '../find-due.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import { countInPostgres, createPostgresSearchIndex, findInPostgres } from './search.ts';

export const postgresEngine: Engine = {
  // "By default" accepts explicit IDs, so that `parley move` can keep the IDs of the embedded database.
  identity: (column) => column.notNull().generatedByDefaultAsIdentity(),
  integer: sql`bigint`,
  bytes: sql`bytea`,
  jsonOfRows: (columns) => sql`coalesce(json_agg(json_build_array(${sql.join(columns)})), '[]')::text`,
  idsIn: (json) => sql`(select value::bigint from json_array_elements_text(${json}::json))`,
  rowsIn: (json, columns) =>
    sql`json_to_recordset(${json}::json) as v(${sql.join(
      Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
    )})`,
  joinInOrder: sql`join`,
  createSearchIndex: createPostgresSearchIndex,
  find: findInPostgres,
  count: countInPostgres,
  hasConcurrentWriters: true,
  firstOfSpans: firstOfSpansInPostgres,
  lastAssignedId: async (db, table) => lastIdOf(db, await sequenceOf(db, table)),
  /**
   * `setval` would survive a rollback, and so would the IDs that the transaction takes afterwards. After ALTER SEQUENCE, a
   * rollback restores the sequence. It needs the owner.
   * @throws Error if the user of the database does not own the sequence
   */
  async raiseIdSequence(db, table, last) {
    const sequence = await sequenceOf(db, table);
    if ((await lastIdOf(db, sequence)) >= last) return;
    await assertOwner(db, table);
    // Changes nothing, but locks the sequence, so that no other transaction takes an ID before it is raised.
    await sql`alter sequence ${sequence} no cycle`.execute(db);
    if ((await lastIdOf(db, sequence)) >= last) return;
    await sql`alter sequence ${sequence} restart with ${sql.lit(last + 1)}`.execute(db);
  },
  findDue: findDueInPostgres,
  async keepRows(db, table, days) {
    const name = sql.id(`${table}_are_kept`);
    await sql`create function ${name}() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and old.created_at < (extract(epoch from clock_timestamp()) - ${sql.lit(days * 86_400)}) * 1000
      then return old; end if;
    raise exception 'Rows of % cannot be changed.', tg_table_name;
  end $$`.execute(db);
    await sql`create trigger ${name} before update or delete on ${sql.table(table)}
    for each row execute function ${name}()`.execute(db);
  },
  /** Autovacuum would do so only a minute later, and queries would be slow until then. */
  async analyze(db) {
    await sql`analyze`.execute(db);
  },
  /** Returns the tables of the default schema, without those of extensions. */
  async tables(db) {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p', 'f')
        and not exists (select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`.execute(db);
    return rows.map(({ name }) => name);
  },
};

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
