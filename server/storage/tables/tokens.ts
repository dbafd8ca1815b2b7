import type { Generated } from 'kysely';
import { companies } from './companies.ts';
import { defineTable } from './define-table.ts';

export interface TokenTable {
  id: Generated<number>;
  company_id: number;
  user_id: number;
  name: string;
  /** SHA-256 of the token, which is not stored itself (D30). */
  digest: Uint8Array;
  /** Separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
  /** Its own rate limit (D33); null for that of the company. */
  rate_per_minute: number | null;
}

export const tokens = defineTable<TokenTable>()({
  parents: [companies],
  key: ['id'],
  isOwned: true,
  exported: 'in company.json',
  personalData: null,
  // No request may add data meanwhile.
  isErasedFirst: true,
  onCitus: 'local',
});
