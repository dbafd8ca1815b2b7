import { eventTypeOf } from '../contract/events.ts';
import { endDeliveries, holdDeliveries } from '../storage/queries/deliveries.ts';
import { settle } from '../storage/queries/delivery-queue.ts';
import { holdWebhook, updateWebhook, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Settlement, WebhookKey } from '../storage/queue-types.ts';
import type { Database } from '../storage/store.ts';
import type { Verdict } from './attempt-outcome.ts';

export interface Settling {
  worker: string;
  /** The webhook as it was called. */
  called: WebhookRow;
  row: Omit<Settlement, 'state' | 'dueAt'>;
  /** What follows, for the webhook as it is now. */
  decide: (webhook: WebhookRow) => Verdict;
  now: number;
}

/**
 * Writes down how an attempt ended together with what it says of the webhook, as both are at this moment.
 * @returns nothing where the delivery is not this worker's any more: then another one tells how it ends
 */
export async function settleWithWebhook(
  db: Database,
  { worker, called, row, decide, now }: Settling,
): Promise<Verdict | undefined> {
  const { companyId, webhookId } = row;
  const webhook = await holdWebhook(db, companyId, webhookId);
  const verdict = webhook ? verdictFor(webhook, called, decide(webhook), now) : ended;
  const { state, dueAt, failingSince, disable } = verdict;
  const mine = await settle(db, worker, [{ ...row, state, dueAt }]);
  if (mine.length === 0) return undefined;
  if (webhook && (disable || failingSince !== webhook.failing_since))
    await updateWebhook(db, companyId, webhookId, {
      failing_since: failingSince,
      ...(disable ? { disabled_at: now, disabled_why: disable } : {}),
    });
  if (disable) await holdDeliveries(db, companyId, webhookId);
  return verdict;
}

const ended: Verdict = { state: 'ended', dueAt: null, failingSince: null };

/** What an address says that was left meanwhile says nothing of the new one, which gets what the old one refused (D49). */
function verdictFor(webhook: WebhookRow, called: WebhookRow, verdict: Verdict, now: number): Verdict {
  const { url, verb_id, disabled_at, failing_since: failingSince } = webhook;
  if (url === called.url && verb_id === called.verb_id) return verdict;
  if (verdict.state === 'delivered') return { state: 'delivered', dueAt: null, failingSince };
  return disabled_at === null
    ? { state: 'waiting', dueAt: now, failingSince }
    : { state: 'held', dueAt: null, failingSince };
}

/** Pauses or cancels due deliveries that must not be sent, see `Claims.strays`. */
export async function tidy(db: Database, { companyId, webhookId }: WebhookKey): Promise<void> {
  const webhook = await holdWebhook(db, companyId, webhookId);
  if (!webhook) await endDeliveries(db, companyId, webhookId);
  else {
    await endDeliveries(db, companyId, webhookId, eventTypeOf(webhook.entity_id, webhook.action_id));
    if (webhook.disabled_at !== null) await holdDeliveries(db, companyId, webhookId);
  }
}
