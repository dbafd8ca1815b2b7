import { notBefore } from '../../contract/timestamp.ts';
import { pauseDeliveries, resumeDeliveries } from '../../storage/queries/deliveries.ts';
import { updateWebhookRow, type WebhookRow } from '../../storage/queries/webhooks.ts';
import type { Database } from '../../storage/store.ts';

const dayMs = 24 * 3_600_000;

/** How long events of a disabled webhook (D47) and completed deliveries (D61) are kept. */
export const deliveryRetentionMs = 30 * dayMs;

/** Disables a locked webhook and pauses its deliveries. */
export async function disableWebhook(db: Database, webhook: WebhookRow, now: number): Promise<void> {
  const { company_id: companyId, id } = webhook;
  const change = { disabled_at: now, disabled_why: 'operator', updated_at: notBefore(webhook, now) } as const;
  await updateWebhookRow(db, companyId, id, change);
  await pauseDeliveries(db, companyId, id);
}

/** Enables a locked webhook, and sends the events that were kept for it (D47). */
export async function enableWebhook(db: Database, webhook: WebhookRow, now: number): Promise<void> {
  const { company_id: companyId, id } = webhook;
  await updateWebhookRow(db, companyId, id, {
    disabled_at: null,
    disabled_why: null,
    failing_since: null,
    updated_at: notBefore(webhook, now),
  });
  await resumeDeliveries(db, companyId, id, { now, since: now - deliveryRetentionMs });
}
