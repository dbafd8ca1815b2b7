import type { Generated } from 'kysely';
import type { OperationId } from '../../../generated/operations.ts';

export type BooleanFlag = 0 | 1;

/** The columns of values, with the same names. */
export type ColumnsOf<Values> = { [Name in keyof Values]: ColumnOf<Values[Name]> };

type ColumnOf<Value> = Value extends boolean ? BooleanFlag : Value;

/** Facts about the rows of every table. A table that does not state each one does not compile. */
interface CommonFacts<Row> {
  /** The tables that its rows refer to. They are copied earlier, and erased later. */
  readonly parents: readonly AnyTable[];
  /**
   * The columns of its key, without the company's ID. If the key is an `id`, the database assigns it in order, and a restore
   * lets the order continue, so that none is assigned again (D39).
   */
  readonly key: Row extends { id: Generated<number> } ? readonly ['id'] : readonly (keyof Row & string)[];
  /** Where Citus stores its rows: with their company, on all machines, or on the coordinator. */
  readonly onCitus: 'distributed' | 'reference' | 'local';
}

/** Facts about a table whose rows do not belong to a company, and outlive it. */
interface SharedFacts {
  readonly isOwned: false;
}

/** Facts about a table whose rows belong to a company, and are erased with it. */
export interface OwnedFacts<PersonalData = ErasureFacts | 'of other rows' | null> {
  readonly isOwned: true;
  /**
   * How `company export` contains its rows. If the table grows with the conversations, its rows are lines of the history,
   * which `features/privacy/export-company.ts` writes and `features/import` reads, or parts of such lines.
   */
  readonly exported:
    | 'in company.json'
    | 'in the history'
    | 'with its parent'
    | { readonly omittedBecause: string };
  /**
   * Data of contacts, of which the erasure of the contact must leave nothing: none (null), in rows that are erased with
   * other rows, or in entities with an ID.
   */
  readonly personalData: PersonalData;
  /** Set if the erasure of a company erases its rows before those of the other tables. */
  readonly isErasedFirst?: true;
}

/** How entities are erased: with their parent, or once their retention period has ended. */
export interface ErasureFacts<Column = string> {
  /** Their name in event types and import keys. */
  readonly entity: string;
  /** The column with the ID of their parent, a row of the first of `parents`; null if they have none. */
  readonly parentColumn: Column | null;
  /** The operation whose path is the `Location` of their create requests; null if no request creates them. */
  readonly location: OperationId | null;
}

type PersonalDataOf<Row> = Row extends { id: Generated<number> }
  ? ErasureFacts<keyof Row & string> | null
  : 'of other rows' | null;

/** Facts about a table: what its rows are, and what happens to them. */
export type TableFacts<Row> = CommonFacts<Row> & (SharedFacts | OwnedFacts<PersonalDataOf<Row>>);

/** A table without the type of its rows. */
export interface AnyTable {
  readonly parents: readonly AnyTable[];
}

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
