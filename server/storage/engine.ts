import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  PostgresAdapter,
  type RawBuilder,
  sql,
} from 'kysely';
import type { CreatedRange, SpanPage } from './creation-spans.ts';
import { firstOfSpansInPostgres } from './postgres/creation-spans.ts';
import * as postgresLocks from './postgres/locks.ts';
import { findDueInPostgres, leaseInPostgres, recordOutcomesInPostgres } from './postgres/queue.ts';
import { countInPostgres, createPostgresSearchIndex, findInPostgres } from './postgres/search.ts';
import { analyzePostgres, tablesInPostgres } from './postgres/tables.ts';
import type { DeliveryKey, DeliveryUpdate, DueDelivery, Lease, Shares } from './queue-types.ts';
import type { ContactSearch, SearchWindow } from './search.ts';
import { firstOfSpansInSqlite } from './sqlite/creation-spans.ts';
import { findDueInSqlite, leaseInSqlite, recordOutcomesInSqlite } from './sqlite/queue.ts';
import { countInSqlite, findInSqlite } from './sqlite/search.ts';
import { createSqliteSearchIndex } from './sqlite/search-index.ts';
import type { Database } from './store.ts';

/** The differences between the engines, apart from opening them. */
export interface Engine {
  /** A column of IDs that are never reused. */
  identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** A table that may be lost in a crash, if that is cheaper. */
  forgetful: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
  /** Returns rows as JSON: an array of arrays of columns, in no order. */
  jsonOfRows: (columns: readonly RawBuilder<unknown>[]) => RawBuilder<string>;
  /** IDs as one JSON parameter, so that the statement does not depend on their number. */
  idsIn: (json: RawBuilder<unknown>) => RawBuilder<number>;
  /** Creates the index over `search_text` and its triggers. */
  createSearchIndex: (db: Database) => Promise<void>;
  /** Returns the IDs of the contacts that a search finds, in order. @throws SearchTooLong */
  find: (db: Database, search: ContactSearch, window: SearchWindow) => Promise<number[]>;
  /** @throws SearchTooLong */
  count: (db: Database, search: ContactSearch) => Promise<number>;
  /** Locks the database against other processes that migrate or fill it, until the end of the transaction. */
  lockDatabase: (db: Database) => Promise<void>;
  /**
   * Shortens the lock timeout of the transaction, because later statements on the table queue behind one that waits
   * for its lock.
   */
  waitBriefly: (db: Database) => Promise<void>;
  /** See locks.ts. */
  lockCompany: (db: Database, companyId: number) => Promise<void>;
  lockFieldDefinitionsShared: (db: Database, companyId: number) => Promise<void>;
  lockFieldDefinitionsExclusive: (db: Database, companyId: number) => Promise<void>;
  /** See creation-spans.ts. */
  firstOfSpans: (db: Database, within: CreatedRange, page: SpanPage) => Promise<number[]>;
  /** See delivery-queue.ts. */
  findDue: (db: Database, shares: Shares, now: number) => Promise<DueDelivery[]>;
  leaseDeliveries: (db: Database, keys: readonly DeliveryKey[], leaseDeliveries: Lease) => Promise<void>;
  recordOutcomes: (db: Database, worker: string, settlements: readonly DeliveryUpdate[]) => Promise<string[]>;
  /** Updates the statistics of the query planner. */
  analyze: (db: Database) => Promise<void>;
  /** Returns the tables of the database, including those of other applications. */
  tables: (db: Database) => Promise<string[]>;
}

/** A migration. It never changes after it was released. */
export type SchemaMigration = (db: Database, engine: Engine) => Promise<void>;

export const engines = {
  sqlite: {
    // Without AUTOINCREMENT SQLite would reuse the highest ID after its row was deleted (D39).
    identity: (column) => column.primaryKey().autoIncrement(),
    integer: sql`integer`,
    bytes: sql`blob`,
    forgetful: (table) => table,
    jsonOfRows: (columns) => sql`json_group_array(json_array(${sql.join(columns)}))`,
    idsIn: (json) => sql`(select value from json_each(${json}))`,
    createSearchIndex: createSqliteSearchIndex,
    find: findInSqlite,
    count: countInSqlite,
    // SQLite has one writer.
    waitBriefly: async () => {},
    lockDatabase: async () => {},
    lockCompany: async () => {},
    lockFieldDefinitionsShared: async () => {},
    lockFieldDefinitionsExclusive: async () => {},
    firstOfSpans: firstOfSpansInSqlite,
    findDue: findDueInSqlite,
    leaseDeliveries: leaseInSqlite,
    recordOutcomes: recordOutcomesInSqlite,
    // Each statement has its own index, so the statistics do not matter.
    analyze: async () => {},
    tables: async (db) =>
      (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name),
  },
  postgres: {
    // "By default" keeps the IDs of a database that is moved.
    identity: (column) => column.notNull().generatedByDefaultAsIdentity(),
    integer: sql`bigint`,
    bytes: sql`bytea`,
    forgetful: (table) => table.modifyFront(sql`unlogged`),
    jsonOfRows: (columns) => sql`coalesce(json_agg(json_build_array(${sql.join(columns)})), '[]')::text`,
    idsIn: (json) => sql`(select value::bigint from json_array_elements_text(${json}::json))`,
    createSearchIndex: createPostgresSearchIndex,
    find: findInPostgres,
    count: countInPostgres,
    waitBriefly: postgresLocks.waitBriefly,
    lockDatabase: postgresLocks.lockDatabase,
    lockCompany: postgresLocks.lockCompany,
    lockFieldDefinitionsShared: postgresLocks.lockFieldDefinitionsShared,
    lockFieldDefinitionsExclusive: postgresLocks.lockFieldDefinitionsExclusive,
    firstOfSpans: firstOfSpansInPostgres,
    findDue: findDueInPostgres,
    leaseDeliveries: leaseInPostgres,
    recordOutcomes: recordOutcomesInPostgres,
    analyze: analyzePostgres,
    tables: tablesInPostgres,
  },
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

/** Returns the engine of a handle. */
export const engineOf = (db: Database): Engine =>
  engines[db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'];
