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

/** Where the engines differ, beside how they are opened. */
export interface Engine {
  /** A column of ids that are never used twice. */
  identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** A table that need not outlive a crash, where it is cheaper so. */
  forgetful: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
  /** Rows as one text of JSON, each of them a list of some columns, in no order. */
  jsonOfRows: (columns: readonly RawBuilder<unknown>[]) => RawBuilder<string>;
  /** Ids that come as one text of JSON, so that their number makes no other statement. */
  idsIn: (json: RawBuilder<unknown>) => RawBuilder<number>;
  /** Makes the index over `search_text` and what keeps it true. */
  createSearchIndex: (db: Database) => Promise<void>;
  /** The ids of the contacts that a search finds, in their order. @throws SearchTooLong */
  find: (db: Database, search: ContactSearch, window: SearchWindow) => Promise<number[]>;
  /** @throws SearchTooLong */
  count: (db: Database, search: ContactSearch) => Promise<number>;
  /** Lets no other program change the schema, or begin to fill it, until the end of the transaction. */
  lockDatabase: (db: Database) => Promise<void>;
  /**
   * Until the end of the transaction nobody's lock is waited for longer than a moment: whoever waits for that of a table
   * is waited for by all who come after him.
   */
  waitBriefly: (db: Database) => Promise<void>;
  /** See locks.ts. */
  lockCompany: (db: Database, companyId: number) => Promise<void>;
  lockFieldDefinitionsShared: (db: Database, companyId: number) => Promise<void>;
  lockFieldDefinitionsExclusive: (db: Database, companyId: number) => Promise<void>;
  /** See creation-spans.ts. */
  firstOfSpans: (db: Database, within: CreatedRange, page: SpanPage) => Promise<number[]>;
  /** See claims.ts. */
  findDue: (db: Database, shares: Shares, now: number) => Promise<DueDelivery[]>;
  leaseDeliveries: (db: Database, keys: readonly DeliveryKey[], leaseDeliveries: Lease) => Promise<void>;
  recordOutcomes: (db: Database, worker: string, settlements: readonly DeliveryUpdate[]) => Promise<string[]>;
  /** Looks at how much there is of everything, by which statements are planned. */
  analyze: (db: Database) => Promise<void>;
  /** The tables that are there, whosever they are. */
  tables: (db: Database) => Promise<string[]>;
}

/** A step of the schema: made once, never changed after it has landed. */
export type SchemaMigration = (db: Database, engine: Engine) => Promise<void>;

export const engines = {
  sqlite: {
    // Without AUTOINCREMENT SQLite would give the highest id out again once its row is gone (D39).
    identity: (column) => column.primaryKey().autoIncrement(),
    integer: sql`integer`,
    bytes: sql`blob`,
    forgetful: (table) => table,
    jsonOfRows: (columns) => sql`json_group_array(json_array(${sql.join(columns)}))`,
    idsIn: (json) => sql`(select value from json_each(${json}))`,
    createSearchIndex: createSqliteSearchIndex,
    find: findInSqlite,
    count: countInSqlite,
    // Whoever writes is alone.
    waitBriefly: async () => {},
    lockDatabase: async () => {},
    lockCompany: async () => {},
    lockFieldDefinitionsShared: async () => {},
    lockFieldDefinitionsExclusive: async () => {},
    firstOfSpans: firstOfSpansInSqlite,
    findDue: findDueInSqlite,
    leaseDeliveries: leaseInSqlite,
    recordOutcomes: recordOutcomesInSqlite,
    // Each statement has an index made for it, whatever the numbers.
    analyze: async () => {},
    tables: async (db) =>
      (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name),
  },
  postgres: {
    // By default only, so that a database that is moved keeps its ids.
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

/** The engine that a handle belongs to. */
export const engineOf = (db: Database): Engine =>
  engines[db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'];
