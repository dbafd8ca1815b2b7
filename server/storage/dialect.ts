import type { ColumnDefinitionBuilder, RawBuilder } from 'kysely';
import type { CreatedRange, SpanPage } from './creation-spans.ts';
import type { DueDelivery, Shares } from './queue-types.ts';
import type { Schema } from './schema.ts';
import type { ContactSearch, SearchWindow } from './search.ts';
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
  /**
   * Finds due deliveries of webhooks, at most `share` of each. A delivery is excluded if an older delivery about the same
   * entity is due, or any delivery about it is in flight (D46). The rows are locked until the end of the transaction.
   */
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
