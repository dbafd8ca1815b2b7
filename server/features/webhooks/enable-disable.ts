import { notBefore } from '../../contract/timestamp.ts';
import { pauseDeliveries, resumeDeliveries } from '../../storage/queries/deliveries.ts';
import { updateWebhookRow, type WebhookRow } from '../../storage/queries/webhooks.ts';
import type { Database } from '../../storage/store.ts';

const dayMs = 24 * 3_600_000;

/** How long events are kept for a webhook that is disabled (D47), and deliveries that are over (D61). */
export const deliveryRetentionMs = 30 * dayMs;

/** Sends nothing more to a webhook that is held; what happens is kept for it. */
export async function disableWebhook(db: Database, webhook: WebhookRow, now: number): Promise<void> {
  const { company_id: companyId, id } = webhook;
  const change = { disabled_at: now, disabled_why: 'operator', updated_at: notBefore(webhook, now) } as const;
  await updateWebhookRow(db, companyId, id, change);
  await pauseDeliveries(db, companyId, id);
}

/** Sends to a webhook that is held again, and what was kept for it at once (D47). */
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
