import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely';

/** Where the engines' types differ. */
export interface Engine {
  /** A column of ids that are never used twice. */
  identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
}

export const engines = {
  sqlite: {
    // AUTOINCREMENT keeps ids of removed rows from coming back (D39).
    identity: (column) => column.primaryKey().autoIncrement(),
    integer: sql`integer`,
    bytes: sql`blob`,
  },
} as const satisfies Record<string, Engine>;
