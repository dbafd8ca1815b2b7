import type { Generated } from 'kysely';
import type { Schemas } from '../../own-contract/handler.ts';
import { companies } from './companies.ts';
import { defineTable } from './define-table.ts';

export interface WebhookTable {
  id: Generated<number>;
  company_id: number;
  verb_id: Schemas['WebhookVerbId'];
  entity_id: Schemas['WebhookEntityId'];
  action_id: Schemas['WebhookActionId'];
  url: string;
  automation_id: number | null;
  /** Encrypted (D44). */
  secret: Uint8Array;
  /** Sequence of the newest event; the first is 1. */
  last_sequence: number;
  /** When the webhook was disabled; null if it is enabled. */
  disabled_at: number | null;
  /** `operator`, `gone` (its URL returned 410) or `failing` (D45, D47). */
  disabled_why: DisabledWhy | null;
  /** Time of the first failure since the last success; null if no request has failed since. */
  failing_since: number | null;
  /** Encrypted. Until `previous_secret_until` it signs events too (D44). */
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  /** IDs of the tokens that created and last changed the webhook; null if that was before IDs were recorded. */
  created_by_token: number | null;
  updated_by_token: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export type DisabledWhy = 'operator' | 'gone' | 'failing';

export const webhooks = defineTable<WebhookTable>()({
  parents: [companies],
  key: ['id'],
  isOwned: true,
  exported: 'in company.json',
  personalData: null,
  onCitus: 'local',
});
