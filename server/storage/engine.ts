import { type ColumnDefinitionBuilder, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { CreatedRange, SpanPage } from './creation-spans.ts';
import { firstOfSpansInPostgres } from './postgres/creation-spans.ts';
import { lastIdInPostgres, raiseInPostgres } from './postgres/id-sequence.ts';
import { keepRowsInPostgres } from './postgres/keep-rows.ts';
import * as postgresLocks from './postgres/locks.ts';
import {
  findClaimedInPostgres,
  findDueInPostgres,
  leaseInPostgres,
  recordOutcomesInPostgres,
} from './postgres/queue.ts';
import { countInPostgres, createPostgresSearchIndex, findInPostgres } from './postgres/search.ts';
import { analyzePostgres, tablesInPostgres } from './postgres/tables.ts';
import type { ClaimedWebhook, DeliveryKey, DueDelivery, Lease, Shares, StoredUpdate } from './queue-types.ts';
import type { Schema } from './schema.ts';
import type { ContactSearch, SearchWindow } from './search.ts';
import { firstOfSpansInSqlite } from './sqlite/creation-spans.ts';
import { lastIdInSqlite, raiseInSqlite } from './sqlite/id-sequence.ts';
import { keepRowsInSqlite } from './sqlite/keep-rows.ts';
import {
  findClaimedInSqlite,
  findDueInSqlite,
  leaseInSqlite,
  recordOutcomesInSqlite,
} from './sqlite/queue.ts';
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
  /** Creates the index over `search_text` and its triggers. */
  createSearchIndex: (db: Database) => Promise<void>;
  /** Returns the IDs of the contacts that a search finds, in order. @throws SearchTooLong */
  find: (db: Database, search: ContactSearch, window: SearchWindow) => Promise<number[]>;
  /** @throws SearchTooLong */
  count: (db: Database, search: ContactSearch) => Promise<number>;
  /** Makes the database reject updates of a table's rows, and deletions of rows that are younger than `days`. */
  keepRows: (db: Database, table: keyof Schema, days: number) => Promise<void>;
  /** Locks the database against other processes that migrate or fill it, until the end of the transaction. */
  lockDatabase: (db: Database) => Promise<void>;
  /**
   * Shortens the lock timeout of the transaction. While a migration waits for the lock of a table, all later statements
   * on that table wait behind it.
   */
  waitBriefly: (db: Database) => Promise<void>;
  /** See locks.ts. */
  lockTokensShared: (db: Database, companyId: number) => Promise<void>;
  lockTokensExclusive: (db: Database, companyId: number) => Promise<void>;
  lockCompany: (db: Database, companyId: number) => Promise<void>;
  lockFieldDefinitionsShared: (db: Database, companyId: number) => Promise<void>;
  lockFieldDefinitionsExclusive: (db: Database, companyId: number) => Promise<void>;
  /** See creation-spans.ts. */
  firstOfSpans: (db: Database, within: CreatedRange, page: SpanPage) => Promise<number[]>;
  /** See queries/delivery-queue.ts. */
  findDue: (db: Database, shares: Shares, now: number) => Promise<DueDelivery[]>;
  leaseDeliveries: (db: Database, keys: readonly DeliveryKey[], leaseDeliveries: Lease) => Promise<void>;
  findClaimed: (db: Database, worker: string, keys: readonly DeliveryKey[]) => Promise<ClaimedWebhook[]>;
  recordOutcomes: (db: Database, worker: string, updates: readonly StoredUpdate[]) => Promise<string[]>;
  /** See queries/id-sequence.ts. */
  lastAssignedId: (db: Database, table: keyof Schema) => Promise<number>;
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
    createSearchIndex: createSqliteSearchIndex,
    find: findInSqlite,
    count: countInSqlite,
    // SQLite has a single writer, so it needs none of these locks.
    waitBriefly: async () => {},
    keepRows: keepRowsInSqlite,
    lockDatabase: async () => {},
    lockTokensShared: async () => {},
    lockTokensExclusive: async () => {},
    lockCompany: async () => {},
    lockFieldDefinitionsShared: async () => {},
    lockFieldDefinitionsExclusive: async () => {},
    firstOfSpans: firstOfSpansInSqlite,
    findDue: findDueInSqlite,
    leaseDeliveries: leaseInSqlite,
    findClaimed: findClaimedInSqlite,
    recordOutcomes: recordOutcomesInSqlite,
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
    createSearchIndex: createPostgresSearchIndex,
    find: findInPostgres,
    count: countInPostgres,
    waitBriefly: postgresLocks.waitBriefly,
    lockDatabase: postgresLocks.lockDatabase,
    lockTokensShared: postgresLocks.lockTokensShared,
    lockTokensExclusive: postgresLocks.lockTokensExclusive,
    lockCompany: postgresLocks.lockCompany,
    lockFieldDefinitionsShared: postgresLocks.lockFieldDefinitionsShared,
    lockFieldDefinitionsExclusive: postgresLocks.lockFieldDefinitionsExclusive,
    firstOfSpans: firstOfSpansInPostgres,
    lastAssignedId: lastIdInPostgres,
    raiseIdSequence: raiseInPostgres,
    findDue: findDueInPostgres,
    leaseDeliveries: leaseInPostgres,
    findClaimed: findClaimedInPostgres,
    recordOutcomes: recordOutcomesInPostgres,
    keepRows: keepRowsInPostgres,
    analyze: analyzePostgres,
    tables: tablesInPostgres,
  },
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

/** Returns the engine of a handle. */
export const engineOf = (db: Database): Engine =>
  engines[db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'];
