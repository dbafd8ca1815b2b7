import { settle } from '../storage/claims.ts';
import { endDeliveries, holdDeliveries } from '../storage/deliveries.ts';
import type { Settlement, WebhookKey } from '../storage/queue.ts';
import type { Database } from '../storage/store.ts';
import { holdWebhook, updateWebhook } from '../storage/webhooks.ts';
import type { Verdict } from './verdict.ts';

/**
 * Writes down how an attempt ended together with what it says of the webhook, as both are at this moment.
 * @param decide what follows, for the webhook as it is now
 */
export async function settleWithWebhook(
  db: Database,
  worker: string,
  delivery: Omit<Settlement, 'state' | 'dueAt'>,
  decide: (webhook: { disabled_at: number | null; failing_since: number | null }) => Verdict,
  now: number,
): Promise<Verdict> {
  const { companyId, webhookId } = delivery;
  const webhook = await holdWebhook(db, companyId, webhookId);
  const verdict = webhook ? decide(webhook) : ended;
  const { state, dueAt, failingSince, disable } = verdict;
  await settle(db, worker, [{ ...delivery, state, dueAt }]);
  if (webhook && (disable || failingSince !== webhook.failing_since))
    await updateWebhook(db, companyId, webhookId, {
      failing_since: failingSince,
      ...(disable ? { disabled_at: now, disabled_why: disable } : {}),
    });
  if (disable) await holdDeliveries(db, companyId, webhookId);
  return verdict;
}

const ended: Verdict = { state: 'ended', dueAt: null, failingSince: null };

/** What still waits for a webhook that is switched off or deleted waits no longer. */
export async function tidy(db: Database, { companyId, webhookId }: WebhookKey): Promise<void> {
  const webhook = await holdWebhook(db, companyId, webhookId);
  if (!webhook) await endDeliveries(db, companyId, webhookId);
  else if (webhook.disabled_at !== null) await holdDeliveries(db, companyId, webhookId);
}
