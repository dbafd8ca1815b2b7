import { findWebhook, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Store } from '../storage/store.ts';
import type { Claimed } from './claim.ts';

// Maximum age of a webhook row before it is read again, in milliseconds.
const freshMs = 100;

/**
 * Creates a function that returns whether a webhook is unchanged since a delivery was claimed. A waiting delivery must
 * not go to an old URL, or to a webhook that was disabled or deleted (D49).
 */
export function createStalenessCheck(store: Store) {
  const looks = new Map<number, { at: number; row: Promise<WebhookRow | undefined> }>();

  function look(companyId: number, webhookId: number): Promise<WebhookRow | undefined> {
    const now = performance.now();
    const last = looks.get(webhookId);
    if (last && now - last.at < freshMs) return last.row;
    for (const [id, { at }] of looks) if (now - at >= freshMs) looks.delete(id);
    const row = store.read((db) => findWebhook(db, companyId, webhookId));
    looks.set(webhookId, { at: now, row });
    return row;
  }

  /** @throws StoreUnavailable */
  return async function isUnchanged({ takenAt, delivery, webhook }: Claimed): Promise<boolean> {
    if (performance.now() - takenAt < freshMs) return true;
    const row = await look(delivery.companyId, delivery.webhookId);
    return row !== undefined && row.disabled_at === null && row.updated_at === webhook.updated_at;
  };
}
