import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import { analyzeTables } from './queries/bulk.ts';
import type { Schema } from './schema.ts';
import { tableNames } from './schema.ts';
import type { Database } from './store.ts';

/** The row count and digest of a copied table, which are the same in both databases. */
export interface CopiedTable {
  table: string;
  rows: number;
  /** Sum of the SHA-256 hashes of all rows, which does not depend on their order. */
  digest: string;
}

const maxPart = { rows: 1_000, bytes: 4_194_304 };

/**
 * Copies all rows of an embedded database to an empty PostgreSQL database, and compares the row count and digest of
 * each table. It runs in the transaction of `db`.
 * @throws Error if a table differs
 */
export async function copyRows(
  from: DatabaseSync,
  db: Database,
  onProgress: (rows: number, all: number, table: string) => void,
): Promise<CopiedTable[]> {
  const moved: CopiedTable[] = [];
  const all = tableNames.reduce((sum, table) => sum + countOf(from, table), 0);
  let rows = 0;
  for (const table of tableNames) {
    const columns = columnsOf(from, table);
    const here = createDigest();
    for (const part of partsOf(from, table)) {
      for (const row of part) here.add(columns.map(({ name }) => row[name]));
      await insertPart(db, table, columns, part);
      rows += part.length;
      onProgress(rows, all, table);
    }
    const there = await sumIn(db, table, columns);
    if (here.rows() !== there.rows() || here.digest() !== there.digest())
      throw new Error(
        `The copy of ${table} differs (${here.rows()} rows in SQLite, ${there.rows()} in PostgreSQL). Nothing was moved.`,
      );
    moved.push({ table, rows: here.rows(), digest: here.digest() });
    await continueIdSequence(from, db, table);
  }
  await analyzeTables(db);
  return moved;
}

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

/** Inserts rows with one array parameter per column, so that the statement does not depend on the number of rows. */
async function insertPart(
  db: Database,
  table: keyof Schema,
  columns: readonly Column[],
  part: readonly Row[],
) {
  const names = columns.map(({ name }) => sql.ref(name));
  const arrays = columns.map(
    ({ name, type }) =>
      sql`${part.map((row) => {
        const value = row[name];
        return value instanceof Uint8Array ? Buffer.from(value) : value;
      })}::${sql.raw(type)}[]`,
  );
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) select * from unnest(${sql.join(arrays)})`.execute(
    db,
  );
}

/** Lets PostgreSQL continue after the highest ID that SQLite has ever assigned, because IDs are never reused (D39). */
async function continueIdSequence(from: DatabaseSync, db: Database, table: keyof Schema): Promise<void> {
  const last = from.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq;
  if (typeof last === 'number' && last > 0) await engineOf(db).raiseIdSequence(db, table, last);
}

async function sumIn(db: Database, table: keyof Schema, columns: readonly Column[]) {
  const there = createDigest();
  await sql`declare moved no scroll cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(maxPart.rows)} from moved`.execute(db);
    if (rows.length === 0) break;
    for (const row of rows) there.add(columns.map(({ name }) => row[name]));
  }
  await sql`close moved`.execute(db);
  return there;
}

const modulus = 2n ** 256n;

/** Creates an empty digest, to which rows can be added. Equal rows of both engines change the digest equally. */
function createDigest() {
  let rows = 0;
  let total = 0n;
  return {
    add(values: readonly (SQLOutputValue | undefined)[]): void {
      const written = JSON.stringify(
        values.map((value) =>
          value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : value,
        ),
      );
      rows += 1;
      total = (total + BigInt(`0x${createHash('sha256').update(written).digest('hex')}`)) % modulus;
    },
    rows: () => rows,
    digest: () => total.toString(16).padStart(64, '0'),
  };
}
