import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import { analyzeTables } from './queries/bulk.ts';
import type { Schema } from './schema.ts';
import { tableNames } from './schema.ts';
import type { Database } from './store.ts';

/** The number of rows of a copied table. */
export interface CopiedTable {
  table: string;
  rows: number;
}

const maxPart = { rows: 1_000, bytes: 4_194_304 };

/**
 * Copies all rows of an embedded database to an empty PostgreSQL database, and compares each with what PostgreSQL has
 * stored. It runs in the transaction of `db`.
 * @throws Error if a row differs
 */
export async function copyRows(
  from: DatabaseSync,
  db: Database,
  onProgress: (rows: number, all: number, table: string) => void,
): Promise<CopiedTable[]> {
  const counts = tableNames.map((table) => ({ table, rows: countOf(from, table) }));
  const all = counts.reduce((sum, { rows }) => sum + rows, 0);
  let copied = 0;
  for (const table of tableNames) {
    for (const part of partsOf(from, table)) {
      const columns = Object.keys(part[0] ?? {});
      const stored = await insertPart(db, table, part);
      if (linesOf(stored, columns) !== linesOf(part, columns))
        throw new Error(
          `The copy of ${table} differs: PostgreSQL has changed a row or left it out. Look for triggers. Nothing was moved.`,
        );
      copied += part.length;
      onProgress(copied, all, table);
    }
    await continueIdSequence(from, db, table);
  }
  await analyzeTables(db);
  return counts;
}

/** Returns rows as a text that does not depend on their order, and is the same for equal rows of both engines. */
const linesOf = (rows: readonly Row[], columns: readonly string[]): string =>
  rows
    .map((row) => JSON.stringify(columns.map((name) => inJson(row[name]))))
    .sort()
    .join('\n');

/** Returns a value for JSON: bytes as PostgreSQL reads and writes them as a text. */
const inJson = (value: SQLOutputValue | undefined) =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

const countOf = (from: DatabaseSync, table: keyof Schema): number =>
  Number(from.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

type Row = Record<string, SQLOutputValue>;

function* partsOf(from: DatabaseSync, table: keyof Schema): Generator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of from.prepare(`SELECT * FROM ${table}`).iterate()) {
    part.push(row);
    bytes += Object.values(row).reduce<number>((all, value) => all + sizeOf(value), 0);
    if (part.length < maxPart.rows && bytes < maxPart.bytes) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

const sizeOf = (value: SQLOutputValue | undefined): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;

/**
 * Inserts rows with one parameter, so that the statement does not depend on their number.
 * @returns the rows as PostgreSQL has stored them
 */
async function insertPart(db: Database, table: keyof Schema, part: readonly Row[]): Promise<Row[]> {
  const values = part.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inJson(value)])),
  );
  const { rows } = await sql<Row>`insert into ${sql.table(table)} select *
    from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(values)}::json) returning *`.execute(
    db,
  );
  return rows;
}

/** Lets PostgreSQL continue after the highest ID that SQLite has ever assigned, because IDs are never reused (D39). */
async function continueIdSequence(from: DatabaseSync, db: Database, table: keyof Schema): Promise<void> {
  const last = from.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq;
  if (typeof last === 'number' && last > 0) await engineOf(db).raiseIdSequence(db, table, last);
}
