import type { Selectable } from 'kysely';
import type { DeliveryState } from './delivery-states.ts';
import type { WebhookTable } from './tables/webhooks.ts';

/**
 * Timeout of a webhook request, from name resolution to the end of the response, in milliseconds (D45). An erasure waits
 * a little longer for requests in flight.
 */
export const webhookRequestTimeoutMs = 15_000;

/** Leases are renewed, and revoked claims found, at the latest after this time, in milliseconds. */
export const maxRenewalMs = 5_000;

/**
 * Duration of a lease, in milliseconds. A request begins under a lease that was renewed at most `maxRenewalMs` before, so it ends
 * before its lease: an erasure that waits for the lease waits for the request, even if its worker has lost the database.
 */
export const leaseMs = webhookRequestTimeoutMs + maxRenewalMs;

/** Deliveries that cannot be signed wait this long, in milliseconds: an operator must fix the secret. */
export const unsignedWaitMs = 60_000;

/**
 * Delivered and canceled deliveries are purged after this time (D61). When a webhook is enabled, paused deliveries that
 * are older become exhausted instead of being sent (D47).
 */
export const deliveryRetentionMs = 30 * 24 * 3_600_000;

export interface WebhookKey {
  companyId: number;
  webhookId: number;
}

export interface DeliveryKey extends WebhookKey {
  sequence: number;
}

/** How many deliveries of each webhook may be claimed. */
export type Shares = readonly (WebhookKey & { share: number })[];

/** A delivery that is due. */
export interface DueDelivery extends DeliveryKey {
  type: string;
  dataId: number;
  dueAt: number;
  payload: string;
  attempts: number;
  replayed: number;
  log: string;
  traceparent: string | null;
}

/** The sequence of a claimed delivery, and what its request takes from the webhook. */
export interface ClaimedWebhook
  extends Pick<
    Selectable<WebhookTable>,
    'id' | 'updated_at' | 'url' | 'verb_id' | 'entity_id' | 'action_id' | 'secret'
  > {
  sequence: number;
}

/** The state of a delivery after an attempt. */
export interface DeliveryUpdate extends DeliveryKey {
  state: DeliveryState;
  dueAt: number | null;
  attempts: number;
  log: string;
}

/** Returns a string that identifies a delivery among those of all webhooks. */
export const formatDeliveryKey = ({ webhookId, sequence }: { webhookId: number; sequence: number }): string =>
  `${webhookId}:${sequence}`;
