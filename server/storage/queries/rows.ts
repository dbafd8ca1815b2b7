import {
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import { tables } from '../../../generated/tables.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { Schema, TablesWith } from '../schema.ts';
import type { Database } from '../store.ts';

/* Statements that are the same for all tables, and for all tables of a company whose rows have an ID. */

/** A table of a company whose rows have an ID. */
export type EntityTable = TablesWith<{ isOwned: true; key: readonly ['id'] }>;

// By table and columns: compiling a statement takes longer than running it.
const insertions = new Map<string, (db: Database, row: object) => Promise<{ id: number }[]>>();

/** @returns the ID of the row */
export async function insertRow<Name extends EntityTable>(
  db: Database,
  table: Name,
  row: Insertable<Schema[Name]>,
): Promise<number> {
  const columns = Object.keys(row).sort();
  const name = `${table} ${columns}`;
  const insert = insertions.get(name) ?? insertionOf(table, columns);
  insertions.set(name, insert);
  const [inserted] = await insert(db, row);
  if (!inserted) throw new Error(`The database has not stored a row of ${table}.`);
  return inserted.id;
}

const insertionOf = (table: EntityTable, columns: readonly string[]) =>
  preparedStatement<object, { id: number }>((db, row) =>
    db
      .insertInto<EntityTable>(table)
      // The type of a row depends on the name of its table, which Kysely's types cannot follow. So do the types below.
      .values(Object.fromEntries(columns.map((column) => [column, Reflect.get(row, column)])) as never)
      .returning('id'),
  );

/** The condition on a column that `is` describes. */
class Condition {
  readonly of: (column: RawBuilder<unknown>) => RawBuilder<unknown>;
  constructor(of: Condition['of']) {
    this.of = of;
  }
}

/** Conditions of selections, besides equality. */
export const is = {
  notNull: new Condition((column) => sql`${column} is not null`),
  lessThan: (value: number) => new Condition((column) => sql`${column} < ${value}`),
  atMost: (value: number) => new Condition((column) => sql`${column} <= ${value}`),
  moreThan: (value: number | string) => new Condition((column) => sql`${column} > ${value}`),
  atLeast: (value: number) => new Condition((column) => sql`${column} >= ${value}`),
};

/** Selects the rows whose columns have these values: each one value, null, a list of which one must match, or a condition. */
type Selection<Name extends keyof Schema> = {
  readonly [Column in keyof Selectable<Schema[Name]>]?:
    | Selectable<Schema[Name]>[Column]
    | readonly Selectable<Schema[Name]>[Column][]
    | Condition;
};

const matches = (selection: object) =>
  sql<SqlBool>`${sql.join(
    Object.entries(selection).map(([name, value]) => {
      const column = sql.ref(name);
      if (value === null) return sql`${column} is null`;
      if (value instanceof Condition) return value.of(column);
      if (!Array.isArray(value)) return sql`${column} = ${value}`;
      return value.length > 0 ? sql`${column} in (${sql.join(value)})` : sql`1 = 0`;
    }),
    sql` and `,
  )}`;

/** @returns the number of rows */
export async function updateRows<Name extends keyof Schema>(
  db: Database,
  table: Name,
  selection: Selection<Name>,
  change: Updateable<Schema[Name]>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable<keyof Schema>(table)
    .set(change as never)
    .where(matches(selection))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** @returns whether the row exists */
export const updateRow = async <Name extends EntityTable>(
  db: Database,
  table: Name,
  { company_id, id }: { company_id: number; id: number },
  change: Updateable<Schema[Name]>,
): Promise<boolean> =>
  (await updateRows<keyof Schema>(db, table, { company_id, id } as never, change as never)) > 0;

/** @returns the number of rows */
export async function deleteRows<Name extends keyof Schema>(
  db: Database,
  table: Name,
  selection: Selection<Name>,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom<keyof Schema>(table)
    .where(matches(selection))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes a batch of rows. One statement selects and deletes them, so rows that change meanwhile stay.
 * @returns their number, which is less than `limit` in the last batch
 */
export async function deleteBatch<Name extends keyof Schema>(
  db: Database,
  table: Name,
  selection: Selection<Name>,
  limit: number,
): Promise<number> {
  const key = sql.join(tables[table].key.map((name) => sql.ref(name)));
  const isSelected = matches(selection);
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${isSelected}
    and (${key}) in (select ${key} from ${sql.table(table)} where ${isSelected} limit ${sql.lit(limit)})`.execute(
    db,
  );
  return Number(numAffectedRows);
}

/** Reads a row. */
export async function findRow<Name extends keyof Schema>(
  db: Database,
  table: Name,
  selection: Selection<Name>,
): Promise<Selectable<Schema[Name]> | undefined> {
  const row = await db
    .selectFrom<keyof Schema>(table)
    .selectAll()
    .where(matches(selection))
    .limit(1)
    .executeTakeFirst();
  return row as never;
}

/** Lists columns of rows. @param page.orderBy a column by which to sort, in ascending order */
export async function selectRows<Name extends keyof Schema, Column extends keyof Selectable<Schema[Name]>>(
  db: Database,
  table: Name,
  columns: readonly Column[],
  selection: Selection<Name>,
  { orderBy, limit }: { orderBy?: Column; limit?: number } = {},
): Promise<Pick<Selectable<Schema[Name]>, Column>[]> {
  let query = db
    .selectFrom<keyof Schema>(table)
    .select(columns as never)
    .where(matches(selection));
  if (orderBy !== undefined) query = query.orderBy(orderBy as never);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()) as never;
}

/** Lists the next batch of a company's rows after an ID, deleted ones included. */
export async function listRows<Name extends EntityTable>(
  db: Database,
  table: Name,
  companyId: number,
  { after = 0, limit }: { after?: number; limit?: number } = {},
): Promise<Selectable<Schema[Name]>[]> {
  let query = db
    .selectFrom<EntityTable>(table)
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '>', after)
    .orderBy('id');
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()) as never;
}
