import { notBefore } from '../../own-contract/timestamp.ts';
import { updateRow } from '../../storage/queries/rows.ts';
import { unsettle } from '../../storage/queries/unsettled-webhooks.ts';
import type { WebhookRow } from '../../storage/queries/webhooks.ts';
import type { Database } from '../../storage/store.ts';

/** Whether the operator has disabled a webhook. A backup can contain webhooks that have the reason but are enabled. */
export const isDisabledByOperator = ({ disabled_at, disabled_why }: WebhookRow): boolean =>
  disabled_at !== null && disabled_why === 'operator';

/** Disables a webhook for the operator. Its deliveries are paused later. The caller must have locked the webhook's row. */
export async function disableWebhookForOperator(
  db: Database,
  webhook: WebhookRow,
  now: number,
): Promise<void> {
  const { company_id: companyId, id } = webhook;
  const change = { disabled_at: now, disabled_why: 'operator', updated_at: notBefore(webhook, now) } as const;
  await updateRow(db, 'webhooks', webhook, change);
  await unsettle(db, companyId, id);
}

/** Enables a webhook. Its paused deliveries are resumed later (D47). The caller must have locked the webhook's row. */
export async function enableWebhook(db: Database, webhook: WebhookRow, now: number): Promise<void> {
  const { company_id: companyId, id } = webhook;
  await updateRow(db, 'webhooks', webhook, {
    disabled_at: null,
    disabled_why: null,
    failing_since: null,
    updated_at: notBefore(webhook, now),
  });
  await unsettle(db, companyId, id);
}
