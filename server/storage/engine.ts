import { type ColumnDefinitionBuilder, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import {
  type CreatedRange,
  firstOfSpansInPostgres,
  firstOfSpansInSqlite,
  type SpanPage,
} from './creation-spans.ts';
import { findDueInPostgres, findDueInSqlite } from './find-due.ts';
import { keepRowsInPostgres, keepRowsInSqlite } from './keep-rows.ts';
import { lastIdInPostgres, raiseInPostgres } from './postgres/id-sequence.ts';
import { countInPostgres, createPostgresSearchIndex, findInPostgres } from './postgres/search.ts';
import { analyzePostgres, tablesInPostgres } from './postgres/tables.ts';
import type { DueDelivery, Shares } from './queue-types.ts';
import type { Schema } from './schema.ts';
import type { ContactSearch, SearchWindow } from './search.ts';
import { lastIdInSqlite, raiseInSqlite } from './sqlite/id-sequence.ts';
import { countInSqlite, findInSqlite } from './sqlite/search.ts';
import { createSqliteSearchIndex } from './sqlite/search-index.ts';
import type { Database } from './store.ts';

/** The differences between SQLite and PostgreSQL, except for opening a database. */
export interface Engine {
  /** Makes a column generate IDs that are never reused. */
  identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** Aggregates rows as JSON: an array with one array of columns per row, in no particular order. */
  jsonOfRows: (columns: readonly RawBuilder<unknown>[]) => RawBuilder<string>;
  /** Selects the IDs in a JSON array. The array is one parameter, so the statement does not depend on its length. */
  idsIn: (json: RawBuilder<unknown>) => RawBuilder<number>;
  /**
   * Selects the objects in a JSON array, as the table `v`.
   * @param columns their properties, with the types of PostgreSQL
   */
  rowsIn: (
    json: RawBuilder<unknown>,
    columns: Readonly<Record<string, 'bigint' | 'text'>>,
  ) => RawBuilder<unknown>;
  /** A join that reads the tables in the order in which they are written, if the engine would reorder them. */
  joinInOrder: RawBuilder<unknown>;
  /** Creates the index over `search_text` and its triggers. */
  createSearchIndex: (db: Database) => Promise<void>;
  /** Returns the IDs of the contacts that a search finds, in order. @throws SearchTooLong */
  find: (db: Database, search: ContactSearch, window: SearchWindow) => Promise<number[]>;
  /** @throws SearchTooLong */
  count: (db: Database, search: ContactSearch) => Promise<number>;
  /** Makes the database reject updates of a table's rows, and deletions of rows that are younger than `days`. */
  keepRows: (db: Database, table: keyof Schema, days: number) => Promise<void>;
  /** Whether several transactions can write at the same time, so that they need locks (see locks.ts). */
  hasConcurrentWriters: boolean;
  /** See creation-spans.ts. */
  firstOfSpans: (db: Database, within: CreatedRange, page: SpanPage) => Promise<number[]>;
  /** See queries/delivery-queue.ts. */
  findDue: (db: Database, shares: Shares, now: number) => Promise<DueDelivery[]>;
  /** Returns the last ID that was assigned in a table, even if its row is gone; 0 before the first one. */
  lastAssignedId: (db: Database, table: keyof Schema) => Promise<number>;
  /**
   * Makes the next ID of a table larger than `last`, unless it is already. If the transaction is rolled back, the IDs
   * continue as before it.
   */
  raiseIdSequence: (db: Database, table: keyof Schema, last: number) => Promise<void>;
  /** Updates the statistics of the query planner. */
  analyze: (db: Database) => Promise<void>;
  /** Returns the tables of the database, including those of other applications. */
  tables: (db: Database) => Promise<string[]>;
}

/** A migration. It never changes after its release. */
export type SchemaMigration = (db: Database, engine: Engine) => Promise<void>;

export const engines = {
  sqlite: {
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
    keepRows: keepRowsInSqlite,
    hasConcurrentWriters: false,
    firstOfSpans: firstOfSpansInSqlite,
    findDue: findDueInSqlite,
    lastAssignedId: lastIdInSqlite,
    raiseIdSequence: raiseInSqlite,
    // Each statement has its own index, so the statistics do not matter.
    analyze: async () => {},
    tables: async (db) =>
      (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name),
  },
  postgres: {
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
    lastAssignedId: lastIdInPostgres,
    raiseIdSequence: raiseInPostgres,
    findDue: findDueInPostgres,
    keepRows: keepRowsInPostgres,
    analyze: analyzePostgres,
    tables: tablesInPostgres,
  },
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

/** Returns the engine of a handle. */
export const engineOf = (db: Database): Engine =>
  engines[db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'];
