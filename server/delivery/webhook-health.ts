import { recordOutcomes } from '../storage/queries/delivery-queue.ts';
import { unsettle } from '../storage/queries/unsettled-webhooks.ts';
import { findWebhookForUpdate, updateWebhookRow, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { DeliveryUpdate } from '../storage/queue-types.ts';
import type { Database } from '../storage/store.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';

export interface OutcomeToRecord {
  worker: string;
  /** The webhook as it was when the request was sent. */
  called: WebhookRow;
  row: Omit<DeliveryUpdate, 'state' | 'dueAt'>;
  /** Decides the outcome for the webhook in its current state. */
  decide: (webhook: WebhookRow) => AttemptOutcome;
  now: number;
}

/**
 * Stores the outcome of an attempt and the webhook's health in one transaction.
 * @returns undefined if another worker has taken over the delivery
 */
export async function recordOutcomeAndHealth(
  db: Database,
  { worker, called, row, decide, now }: OutcomeToRecord,
): Promise<AttemptOutcome | undefined> {
  const { companyId, webhookId } = row;
  const webhook = await findWebhookForUpdate(db, companyId, webhookId);
  const verdict = webhook ? verdictFor(webhook, called, decide(webhook), now) : canceled;
  const { state, dueAt, failingSince, disable } = verdict;
  const mine = await recordOutcomes(db, worker, [{ ...row, state, dueAt }]);
  if (mine.length === 0) return undefined;
  if (webhook && (disable || failingSince !== webhook.failing_since))
    await updateWebhookRow(db, companyId, webhookId, {
      failing_since: failingSince,
      ...(disable ? { disabled_at: now, disabled_why: disable } : {}),
    });
  if (disable) await unsettle(db, companyId, webhookId);
  return verdict;
}

const canceled: AttemptOutcome = { state: 'canceled', dueAt: null, failingSince: null };

/**
 * Adapts the outcome if the URL or method of the webhook has changed since the request. The old URL's response does not
 * affect the webhook's health, and an event that the old URL rejected is sent to the new one (D49).
 */
function verdictFor(
  webhook: WebhookRow,
  called: WebhookRow,
  verdict: AttemptOutcome,
  now: number,
): AttemptOutcome {
  const { url, verb_id, disabled_at, failing_since: failingSince } = webhook;
  if (url === called.url && verb_id === called.verb_id) return verdict;
  if (verdict.state === 'delivered') return { state: 'delivered', dueAt: null, failingSince };
  return disabled_at === null
    ? { state: 'waiting', dueAt: now, failingSince }
    : { state: 'paused', dueAt: null, failingSince };
}
