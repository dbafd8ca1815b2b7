import { tables } from '../../generated/tables.ts';
import type { AnyTable, ErasureFacts, OwnedFacts, RowOf } from './tables/define-table.ts';

type Tables = typeof tables;

/**
 * The rows of each table. Timestamps are milliseconds since 1970, and flags are 0 or 1, so that the same queries run on
 * both engines. `present*` functions convert rows to the API's form.
 */
export type Schema = { [Name in keyof Tables]: RowOf<Tables[Name]> };

/** The names of the tables with a fact. */
export type TablesWith<Fact> = {
  [Name in keyof Tables]: Tables[Name] extends Fact ? Name : never;
}[keyof Tables];

/** The tables whose rows belong to a company. */
export type OwnedTable = TablesWith<OwnedFacts>;

/** Returns the facts about a company's rows in a table. */
export const ownedFacts = (name: OwnedTable): OwnedFacts => tables[name];

const isOwned = (name: keyof Schema): name is OwnedTable => tables[name].isOwned;

const depthOf = ({ parents }: AnyTable): number => 1 + Math.max(0, ...parents.map(depthOf));

/** All tables, parents before children. */
export const tableNames = (Object.keys(tables) as (keyof Schema)[]).sort(
  (one, other) => depthOf(tables[one]) - depthOf(tables[other]),
);

/** The tables of a company, parents before children. */
export const ownedTables = tableNames.filter(isOwned);

/** The tables whose rows are entities with personal data. */
export type ErasableTable = TablesWith<{ personalData: ErasureFacts }>;

function isErasable(name: OwnedTable): name is ErasableTable {
  const { personalData } = ownedFacts(name);
  return personalData !== null && personalData !== 'of other rows';
}

/** The tables whose rows are entities with personal data, parents before children. */
export const erasableTables: readonly ErasableTable[] = ownedTables.filter(isErasable);

/** Returns how entities are erased. */
export const erasureOf = (name: ErasableTable): ErasureFacts => tables[name].personalData;

/** Returns the tables of the entities that are erased with a row, and their columns with its ID. */
export const erasedWith = (name: ErasableTable): { table: ErasableTable; column: string }[] =>
  erasableTables.flatMap((table) => {
    const { parentColumn: column } = erasureOf(table);
    const [parent] = tables[table].parents;
    return column !== null && parent === tables[name] ? [{ table, column }] : [];
  });
