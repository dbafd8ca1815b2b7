import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely';
import { makeSqliteSearchIndex } from './sqlite-search.ts';
import type { Database } from './store.ts';

/** Where the engines' types differ. */
export interface Engine {
  /** A column of ids that are never used twice. */
  identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** Makes the index over `search_text` and what keeps it true. */
  makeSearchIndex: (db: Database) => Promise<void>;
}

/** A step of the schema: made once, never changed after it has landed. */
export type SchemaStep = (db: Database, engine: Engine) => Promise<void>;

export const engines = {
  sqlite: {
    // Without AUTOINCREMENT SQLite would give the highest id out again once its row is gone (D39).
    identity: (column) => column.primaryKey().autoIncrement(),
    integer: sql`integer`,
    bytes: sql`blob`,
    makeSearchIndex: makeSqliteSearchIndex,
  },
} as const satisfies Record<string, Engine>;
