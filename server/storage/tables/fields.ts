import type { Generated } from 'kysely';
import type { Schemas } from '../../own-contract/handler.ts';
import { companies } from './companies.ts';
import { type BooleanFlag, defineTable } from './define-table.ts';

export interface FieldTable {
  id: Generated<number>;
  company_id: number;
  icon: string;
  name: string;
  type: Schemas['FieldType'];
  order: number;
  is_unique: BooleanFlag;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export const fields = defineTable<FieldTable>()({
  parents: [companies],
  key: ['id'],
  isOwned: true,
  exported: 'in company.json',
  personalData: null,
  onCitus: 'distributed',
});
