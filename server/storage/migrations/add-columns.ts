import type { CreateTableBuilder } from 'kysely';
import type { Engine } from '../dialect.ts';

/**
 * Adds columns to a table.
 * @param columns names with types, separated by commas: `identity` (an ID that the database assigns), `company` (the ID of an
 * existing company), `integer` (also for timestamps and booleans), `text`, `bytes`, and `unique` for unique bytes. Columns whose
 * type ends with a question mark allow null.
 */
export function addColumns(
  table: CreateTableBuilder<string, string>,
  columns: string,
  { integer, bytes, identity }: Engine,
): CreateTableBuilder<string, string> {
  return columns.split(',').reduce((added, column) => {
    const [name = '', type = ''] = column.trim().split(' ');
    switch (type) {
      case 'identity':
        return added.addColumn(name, integer, identity);
      case 'company':
        return added.addColumn(name, integer, (built) => built.notNull().references('companies.id'));
      case 'unique':
        return added.addColumn(name, bytes, (built) => built.notNull().unique());
    }
    const required = type.replace('?', '');
    return added.addColumn(
      name,
      required === 'integer' ? integer : required === 'bytes' ? bytes : 'text',
      (built) => (type === required ? built.notNull() : built),
    );
  }, table);
}
