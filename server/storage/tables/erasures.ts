import { defineTable } from './define-table.ts';

/** Erasures by operators. Rows outlive their company, so that the erasures can be repeated after a restore. */
export interface ErasureTable {
  company_id: number;
  /** Tokens are revoked and webhooks are disabled, not erased. Only a restore adds rows of these types. */
  kind: 'contact' | 'company' | 'token' | 'webhook';
  /** The ID of the contact, company, token or webhook. */
  entity_id: number;
  /** Distinguishes the entity from another one that gets the same ID after a restore. */
  entity_created_at: number;
  erased_at: number;
}

export const erasures = defineTable<ErasureTable>()({
  parents: [],
  key: ['kind', 'entity_id', 'entity_created_at'],
  isOwned: false,
  onCitus: 'local',
});
