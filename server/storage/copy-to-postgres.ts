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
    const columns = columnsOf(from, table);
    for (const part of partsOf(from, table)) {
      const stored = await insertPart(db, table, columns, part);
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
const linesOf = (rows: readonly Row[], columns: readonly Column[]): string =>
  rows
    .map((row) =>
      JSON.stringify(
        columns.map(({ name }) => {
          const value = row[name];
          return value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : value;
        }),
      ),
    )
    .sort()
    .join('\n');

const countOf = (from: DatabaseSync, table: keyof Schema): number =>
  Number(from.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

type Row = Record<string, SQLOutputValue>;

interface Column {
  name: string;
  type: string;
}

// The PostgreSQL type for each SQLite column type (see engine.ts).
const types: Record<string, string> = { integer: 'bigint', text: 'text', blob: 'bytea' };

function columnsOf(from: DatabaseSync, table: keyof Schema): Column[] {
  return from
    .prepare(`SELECT name, type FROM pragma_table_info('${table}') ORDER BY cid`)
    .all()
    .map(({ name, type }) => {
      const known = types[String(type).toLowerCase()];
      if (!known) throw new Error(`${table}.${name} has the unknown type ${type}.`);
      return { name: String(name), type: known };
    });
}

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
 * Inserts rows with one array parameter per column, so that the statement does not depend on the number of rows.
 * @returns the rows as PostgreSQL has stored them
 */
async function insertPart(
  db: Database,
  table: keyof Schema,
  columns: readonly Column[],
  part: readonly Row[],
): Promise<Row[]> {
  const names = columns.map(({ name }) => sql.ref(name));
  const arrays = columns.map(
    ({ name, type }) =>
      sql`${part.map((row) => {
        const value = row[name];
        return value instanceof Uint8Array ? Buffer.from(value) : value;
      })}::${sql.raw(type)}[]`,
  );
  const { rows } = await sql<Row>`insert into ${sql.table(table)} (${sql.join(names)})
    select * from unnest(${sql.join(arrays)}) returning *`.execute(db);
  return rows;
}

/** Lets PostgreSQL continue after the highest ID that SQLite has ever assigned, because IDs are never reused (D39). */
async function continueIdSequence(from: DatabaseSync, db: Database, table: keyof Schema): Promise<void> {
  const last = from.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq;
  if (typeof last === 'number' && last > 0) await engineOf(db).raiseIdSequence(db, table, last);
}
