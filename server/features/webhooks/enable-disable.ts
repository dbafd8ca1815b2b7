import { notBefore } from '../../own-contract/timestamp.ts';
import { pauseDeliveries, resumeDeliveries } from '../../storage/queries/deliveries.ts';
import { updateWebhookRow, type WebhookRow } from '../../storage/queries/webhooks.ts';
import type { Database } from '../../storage/store.ts';

const dayMs = 24 * 3_600_000;

/**
 * Delivered and canceled deliveries are purged after this time (D61). When a webhook is enabled, paused deliveries that
 * are older become exhausted instead of being sent (D47).
 */
export const deliveryRetentionMs = 30 * dayMs;

/** Whether the operator has disabled a webhook. A backup can contain webhooks that have the reason but are enabled. */
export const isDisabledByOperator = ({ disabled_at, disabled_why }: WebhookRow): boolean =>
  disabled_at !== null && disabled_why === 'operator';

/** Disables a webhook for the operator, and pauses its deliveries. The caller must have locked the webhook's row. */
export async function disableWebhookForOperator(
  db: Database,
  webhook: WebhookRow,
  now: number,
): Promise<void> {
  const { company_id: companyId, id } = webhook;
  const change = { disabled_at: now, disabled_why: 'operator', updated_at: notBefore(webhook, now) } as const;
  await updateWebhookRow(db, companyId, id, change);
  await pauseDeliveries(db, companyId, id);
}

/** Enables a webhook and resumes its paused deliveries (D47). The caller must have locked the webhook's row. */
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
