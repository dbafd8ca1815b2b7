import { eventTypeOf } from '../own-contract/webhook-selectors.ts';
import { changeState, type DeliveryRow, listDeliveriesAfter } from '../storage/queries/deliveries.ts';
import {
  endSettling,
  listUnsettled,
  lockUnsettled,
  type UnsettledWebhook,
  unsettleAgain,
} from '../storage/queries/unsettled-webhooks.ts';
import { deliveryRetentionMs, type WebhookKey } from '../storage/queue-types.ts';
import type { DeliveryState } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';

/*
 * A change of a webhook is committed alone, and its deliveries follow in small transactions: a webhook can have millions of
 * them, and its company waits while they are locked. Until they have followed, no worker claims them.
 */

/** Maximum number of deliveries per transaction. The locks of 500 are held for about 10 ms. */
const partSize = 500;

type Settled = Pick<DeliveryRow, 'state' | 'type' | 'created_at'>;

/**
 * Returns the state that a delivery gets after a change of its webhook: `ended` if the webhook was deleted or subscribes to
 * another event type (D49), and otherwise `held` or no longer `held` (D47).
 * @param now milliseconds since 1970
 * @returns undefined if the delivery stays as it is
 */
export function settledState(
  { state, type, created_at }: Settled,
  webhook: UnsettledWebhook,
  now: number,
): DeliveryState | undefined {
  if (state === 'delivered' || state === 'ended') return undefined;
  const isWanted = webhook.deleted_at === null && type === eventTypeOf(webhook.entity_id, webhook.action_id);
  if (!isWanted) return 'ended';
  if (webhook.disabled_at !== null) return state === 'waiting' ? 'held' : undefined;
  if (state !== 'held') return undefined;
  return created_at < now - deliveryRetentionMs ? 'exhausted' : 'waiting';
}

export interface SettleOptions {
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Webhooks that have due deliveries, but must not send them. */
  orphans: readonly WebhookKey[];
  /** Whether to return after the current part. Another worker then begins again. */
  isStopping: () => boolean;
}

/**
 * Brings the deliveries of all changed webhooks in line with them, a part of each webhook in turn. Webhooks that change meanwhile
 * take part from the next round on.
 */
export async function settleDeliveries(
  store: Store,
  { now, orphans, isStopping }: SettleOptions,
): Promise<void> {
  for (const { companyId, webhookId } of orphans)
    await store.write((db) => unsettleAgain(db, companyId, webhookId), companyId);
  /** The last sequence that has followed, by change. */
  const reached = new Map<number, number>();
  for (;;) {
    const webhooks = await store.read(listUnsettled);
    if (webhooks.length === 0 || isStopping()) return;
    for (const webhook of webhooks) {
      const last = await settlePart(store, webhook, reached.get(webhook.change) ?? 0, now());
      if (last === undefined) reached.delete(webhook.change);
      else reached.set(webhook.change, last);
    }
  }
}

/** @returns the last sequence of the part; undefined if there is no further one, or if the webhook has changed again */
async function settlePart(
  store: Store,
  webhook: UnsettledWebhook,
  after: number,
  now: number,
): Promise<number | undefined> {
  const { company_id: companyId, id } = webhook;
  const part = await store.read((db) => listDeliveriesAfter(db, companyId, id, { after, limit: partSize }));
  const isLast = part.length < partSize;
  const changes = part.flatMap(({ sequence, ...delivery }) => {
    const to = settledState(delivery, webhook, now);
    return to ? [{ sequence, from: delivery.state, to }] : [];
  });
  if (changes.length === 0 && !isLast) return part.at(-1)?.sequence;
  return store.write(async (db) => {
    const current = await lockUnsettled(db, companyId, id);
    // Its deliveries follow the newer change, from the first one.
    if (current?.change !== webhook.change) return undefined;
    for (const group of Map.groupBy(changes, ({ from, to }) => `${from} ${to}`).values())
      for (const { from, to } of group.slice(0, 1))
        await changeState(db, current, { sequences: group.map(({ sequence }) => sequence), from, to, now });
    if (isLast) await endSettling(db, companyId, id);
    return isLast ? undefined : part.at(-1)?.sequence;
  }, companyId);
}
