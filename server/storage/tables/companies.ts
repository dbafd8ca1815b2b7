import type { Generated } from 'kysely';
import { defineTable } from './define-table.ts';

export interface CompanyTable {
  id: Generated<number>;
  name: string;
  created_at: number;
  /** The rate limit of its tokens (D33); null for that of the service. */
  rate_per_minute: number | null;
}

export const companies = defineTable<CompanyTable>()({
  parents: [],
  key: ['id'],
  isOwned: false,
  onCitus: 'reference',
});
