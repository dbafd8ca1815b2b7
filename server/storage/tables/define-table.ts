import { type Generated, type RawBuilder, type SqlBool, sql } from 'kysely';

export type BooleanFlag = 0 | 1;

/** What is done with the rows of a table. A table that does not answer each question does not compile. */
export interface TableFacts<Row> {
  /** The tables that its rows refer to. They are copied earlier, and erased later. */
  readonly parents: readonly AnyTable[];
  /** The columns of its key, without the company's ID. */
  readonly key: readonly (keyof Row & string)[];
  /** Whether the database assigns the IDs in order. A restore lets them continue, so that none is assigned again (D39). */
  readonly isNumbered: Row extends { id: Generated<number> } ? true : false;
  /** Whether its rows belong to a company, and are erased with it. */
  readonly isOwned: boolean;
  /** How `company export` contains its rows. */
  readonly exported: 'in company.json' | 'in the history' | { readonly omittedBecause: string };
  /** Whether its rows can contain data of a contact, of which the erasure of the contact must leave nothing. */
  readonly hasPersonalData: boolean;
  /** Whether the erasure of a company erases its rows before those of the other tables. */
  readonly isErasedFirst: boolean;
  /** The conditions of the rows that `company list --company` counts, by name. None for rows that are parts of others. */
  readonly counts: Readonly<Record<string, RawBuilder<SqlBool>>>;
  /** Where Citus stores its rows: with their company, on all machines, or on the coordinator. */
  readonly onCitus: 'distributed' | 'reference' | 'local';
}

/** A table without the type of its rows. */
export type AnyTable = Pick<TableFacts<object>, 'isOwned' | 'isErasedFirst'> & {
  readonly parents: readonly AnyTable[];
};

declare const rowType: unique symbol;

/** A described table with the type of its rows, which exists only for the compiler. */
export type Table<Row, Facts> = Facts & { readonly [rowType]?: Row };

/** The type of a table's rows. */
export type RowOf<Described> = Described extends { readonly [rowType]?: infer Row }
  ? NonNullable<Row>
  : never;

/** Describes a table. */
export const defineTable =
  <Row>() =>
  <const Facts extends TableFacts<Row>>(facts: Facts): Table<Row, Facts> =>
    facts;

/** The condition of rows that are not deleted. */
export const isLive = sql<SqlBool>`deleted_at is null`;
