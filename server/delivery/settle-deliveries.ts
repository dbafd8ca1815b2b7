import { eventTypeOf } from '../own-contract/webhook-selectors.ts';
import { stateNameOf } from '../storage/delivery-states.ts';
import {
  changeState,
  type DeliveryRow,
  listDeliveryStates,
  type WebhookEffect,
} from '../storage/queries/deliveries.ts';
import { deleteRows } from '../storage/queries/rows.ts';
import {
  listUnsettled,
  lockUnsettled,
  type UnsettledWebhook,
  unsettleAgain,
} from '../storage/queries/unsettled-webhooks.ts';
import { deliveryRetentionMs, type WebhookKey } from '../storage/queue-types.ts';
import type { Store } from '../storage/store.ts';

/*
 * A change of a webhook is committed alone, and its deliveries follow in small transactions: a webhook can have millions of
 * them, and its company waits while they are locked. Until they have followed, no worker claims them.
 */

/** Maximum number of deliveries per transaction. The locks of 500 are held for about 10 ms. */
export const partSize = 500;

type Settled = Pick<DeliveryRow, 'state' | 'type' | 'created_at'>;

/**
 * Returns what a change of a webhook does to a delivery: cancels it if the webhook was deleted or subscribes to another event
 * type (D49), and otherwise pauses or resumes it (D47).
 * @param now milliseconds since 1970
 * @returns undefined if the delivery stays as it is
 */
function effectOn(
  { state: stored, type, created_at }: Settled,
  webhook: UnsettledWebhook,
  now: number,
): WebhookEffect | undefined {
  const state = stateNameOf(stored);
  if (state === 'delivered' || state === 'canceled') return undefined;
  const isWanted = webhook.deleted_at === null && type === eventTypeOf(webhook.entity_id, webhook.action_id);
  if (!isWanted) return 'cancel';
  if (webhook.disabled_at !== null) return state === 'waiting' ? 'pause' : undefined;
  if (state !== 'paused') return undefined;
  return created_at < now - deliveryRetentionMs ? 'expire' : 'resume';
}

export interface SettleOptions {
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Webhooks with due deliveries of which some must not be sent. */
  orphans?: readonly WebhookKey[];
  /** Whether to return after the current round. Another worker then begins again. */
  isStopping?: () => boolean;
}

/**
 * Brings the deliveries of all changed webhooks in line with them, a part of each webhook in turn. Webhooks that change meanwhile
 * take part from the next round on. One that fails does not delay the others.
 * @throws the first error, after all other webhooks have been settled
 */
export async function settleDeliveries(
  store: Store,
  { now, orphans = [], isStopping = () => false }: SettleOptions,
): Promise<void> {
  for (const { companyId, webhookId } of orphans)
    await store.write((db) => unsettleAgain(db, companyId, webhookId), companyId);
  /** The last sequence that has followed, by change. */
  const reached = new Map<number, number>();
  /** Errors by change. */
  const failed = new Map<number, unknown>();
  for (;;) {
    const webhooks = (await store.read(listUnsettled)).filter(({ change }) => !failed.has(change));
    if (webhooks.length === 0 || isStopping()) break;
    for (const webhook of webhooks) {
      const { change } = webhook;
      try {
        const last = await settlePart(store, webhook, reached.get(change) ?? 0, now());
        if (last === undefined) reached.delete(change);
        else reached.set(change, last);
      } catch (error) {
        failed.set(change, error);
      }
    }
  }
  for (const error of failed.values()) throw error;
}

/** @returns the last sequence of the part; undefined if there is no further one, or if the webhook has changed again */
async function settlePart(
  store: Store,
  webhook: UnsettledWebhook,
  after: number,
  now: number,
): Promise<number | undefined> {
  const { company_id: companyId, id } = webhook;
  const part = await store.read((db) =>
    listDeliveryStates(db, { companyId, webhookId: id }, { after, limit: partSize }),
  );
  const isLast = part.length < partSize;
  const changes = Map.groupBy(part, (delivery) => effectOn(delivery, webhook, now));
  changes.delete(undefined);
  if (changes.size === 0 && !isLast) return part.at(-1)?.sequence;
  return store.write(async (db) => {
    const current = await lockUnsettled(db, companyId, id);
    // Its deliveries follow the newer change, from the first one.
    if (current?.change !== webhook.change) return undefined;
    for (const [change, deliveries] of changes)
      if (change)
        await changeState(db, current, {
          sequences: deliveries.map(({ sequence }) => sequence),
          change,
          now,
        });
    if (isLast) await deleteRows(db, 'unsettled_webhooks', { company_id: companyId, webhook_id: id });
    return isLast ? undefined : part.at(-1)?.sequence;
  }, companyId);
}
