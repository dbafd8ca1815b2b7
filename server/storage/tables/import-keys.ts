import { companies } from './companies.ts';
import { defineTable } from './define-table.ts';

export interface ImportKeyTable {
  company_id: number;
  /** The entity that was imported: `contact`, `conversation` or `message`. */
  kind: string;
  /** The key of the line in the import file. */
  key: string;
  id: number;
}

export const importKeys = defineTable<ImportKeyTable>()({
  parents: [companies],
  key: ['kind', 'key'],
  isOwned: true,
  exported: { omittedBecause: 'They are names that the company chose for imported data.' },
  personalData: 'of other rows',
  onCitus: 'distributed',
});
