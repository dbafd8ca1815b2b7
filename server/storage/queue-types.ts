import { type Selectable, sql } from 'kysely';
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

export const dueColumns = sql`d.company_id as "companyId", d.webhook_id as "webhookId", d.sequence, d.type,
  d.data_id as "dataId", d.due_at as "dueAt", d.attempts, d.replayed, d.log, d.traceparent,
  (select p.payload from delivery_payloads p where p.company_id = d.company_id
    and p.webhook_id = d.webhook_id and p.sequence = d.sequence) as payload`;

/** The condition that no older delivery about the same entity is due, and no delivery about it is in flight (D46). */
export const isFirstOfEntity = (now: number) => sql<boolean>`not exists (
    select 1 from deliveries o where o.company_id = d.company_id and o.webhook_id = d.webhook_id
      and o.data_id = d.data_id and o.sequence < d.sequence and o.state = 'waiting' and o.due_at <= ${now})
  and not exists (
    select 1 from deliveries l where l.company_id = d.company_id and l.webhook_id = d.webhook_id
      and l.data_id = d.data_id and l.leased_by is not null)`;

/**
 * Returns how many due deliveries of a webhook are read to claim at most `share`. More are read than claimed, because
 * only the first of several deliveries about one entity can be claimed.
 */
export const maxCandidates = (share: number): number => 4 * share + 256;

/** Returns a string that identifies a delivery among those of all webhooks. */
export const formatDeliveryKey = ({ webhookId, sequence }: { webhookId: number; sequence: number }): string =>
  `${webhookId}:${sequence}`;
