import type { Insertable } from 'kysely';
import { engineOf } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../store.ts';
import type { EntityTable } from './rows.ts';

/* Queries for many rows at once, mainly for imports. */

// SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535; no table has more than 20 columns.
const maxRows = 1_000;

/** Inserts rows in batches. @returns their IDs, in the order of the rows */
export async function insertMany<Name extends EntityTable>(
  db: Database,
  table: Name,
  rows: readonly Insertable<Schema[Name]>[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const part of partsOf(rows)) {
    const made = await db
      .insertInto<EntityTable>(table)
      // The row type depends on the table's name, which Kysely's types cannot follow.
      .values(part as never)
      .returning('id')
      .execute();
    // IDs are assigned in the order of the rows, but no engine guarantees to return them in that order.
    ids.push(...made.map(({ id }) => Number(id)).sort((one, other) => one - other));
  }
  return ids;
}

/** Inserts rows in batches. */
export async function insertAll<Name extends keyof Schema>(
  db: Database,
  table: Name,
  rows: readonly Insertable<Schema[Name]>[],
): Promise<void> {
  for (const part of partsOf(rows))
    await db
      .insertInto<keyof Schema>(table)
      .values(part as never)
      .execute();
}

function* partsOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += maxRows) yield rows.slice(start, start + maxRows);
}

/** Updates planner statistics after bulk inserts. */
export const analyzeTables = (db: Database): Promise<void> => engineOf(db).analyze(db);
