import { sql } from 'kysely';
import { firstOfSpansInSqlite } from '../creation-spans.ts';
import type { Engine } from '../dialect.ts';
import { findDueInSqlite } from '../find-due.ts';
import { countInSqlite, findInSqlite } from './search.ts';
import { createSqliteSearchIndex } from './search-index.ts';

export const sqliteEngine: Engine = {
  // Without AUTOINCREMENT, SQLite would reuse the highest ID after its row was deleted (D39).
  identity: (column) => column.primaryKey().autoIncrement(),
  integer: sql`integer`,
  bytes: sql`blob`,
  jsonOfRows: (columns) => sql`json_group_array(json_array(${sql.join(columns)}))`,
  idsIn: (json) => sql`(select value from json_each(${json}))`,
  rowsIn: (json, columns) =>
    sql`(select ${sql.join(
      Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`),
    )} from json_each(${json})) v`,
  joinInOrder: sql`cross join`,
  createSearchIndex: createSqliteSearchIndex,
  find: findInSqlite,
  count: countInSqlite,
  async keepRows(db, table, days) {
    const reject = sql`begin select raise(abort, ${sql.lit(`Rows of ${table} cannot be changed.`)}); end`;
    const on = sql.table(table);
    await sql`create trigger ${sql.id(`${table}_update`)} before update on ${on} ${reject}`.execute(db);
    await sql`create trigger ${sql.id(`${table}_delete`)} before delete on ${on}
    when old.created_at >= (unixepoch() - ${sql.lit(days * 86_400)}) * 1000 ${reject}`.execute(db);
  },
  hasConcurrentWriters: false,
  firstOfSpans: firstOfSpansInSqlite,
  findDue: findDueInSqlite,
  async lastAssignedId(db, table) {
    const { rows } = await sql<{
      seq: number;
    }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
    return rows[0]?.seq ?? 0;
  },
  async raiseIdSequence(db, table, last) {
    // The table has a row only after its first insert.
    await sql`insert into sqlite_sequence (name, seq)
      select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
    await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(db);
  },
  // Each statement has its own index, so the statistics do not matter.
  analyze: async () => {},
  tables: async (db) =>
    (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name),
};
