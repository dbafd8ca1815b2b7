import type { Generated } from 'kysely';
import type { StoredState } from '../delivery-states.ts';
import { type BooleanFlag, defineTable } from './define-table.ts';
import { webhooks } from './webhooks.ts';

export interface DeliveryTable {
  company_id: number;
  webhook_id: number;
  /** Numbers the events of the webhook without gaps (D42). */
  sequence: number;
  type: string;
  /** The ID of the entity in the event's `data`. */
  data_id: number;
  state: StoredState;
  /** Time of the next attempt; null if none is planned. */
  due_at: number | null;
  /** The worker that holds the lease, and the end of the lease. */
  leased_by: string | null;
  leased_until: number | null;
  /** Number of attempts since the event, or since the last replay or resumption of the delivery. */
  attempts: Generated<number>;
  /** Whether an operator replayed the delivery. Replays do not affect the health of the webhook. */
  replayed: Generated<BooleanFlag>;
  /** The last attempts as JSON, oldest first. */
  log: Generated<string>;
  /** The trace of the request that caused the event (D67). */
  traceparent: string | null;
  created_at: number;
}

export const deliveries = defineTable<DeliveryTable>()({
  parents: [webhooks],
  key: ['webhook_id', 'sequence'],
  isOwned: true,
  exported: { omittedBecause: 'They are copies of exported data.' },
  personalData: null,
  // No more may be sent.
  isErasedFirst: true,
  onCitus: 'local',
});
