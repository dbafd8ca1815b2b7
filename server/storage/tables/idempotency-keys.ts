import { companies } from './companies.ts';
import { defineTable } from './define-table.ts';

export interface IdempotencyKeyTable {
  company_id: number;
  key: string;
  /** SHA-256 of the operation, the body, and the user or token. */
  request_digest: Uint8Array;
  status: number;
  /** JSON; encrypted if the headers contain a secret. */
  headers: string;
  body: string;
  created_at: number;
}

export const idempotencyKeys = defineTable<IdempotencyKeyTable>()({
  parents: [companies],
  key: ['key'],
  isOwned: true,
  exported: { omittedBecause: 'They are responses to creates of the last 72 hours.' },
  personalData: 'of other rows',
  onCitus: 'distributed',
});
