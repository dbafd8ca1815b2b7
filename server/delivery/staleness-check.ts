import { findWebhook, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Store } from '../storage/store.ts';
import type { Claimed } from './claim.ts';

// So long is a webhook taken for what it was when it was read, in milliseconds.
const freshMs = 100;

/**
 * Knows whether a webhook is still what it was when something was taken for it: what has lain ready for a while must
 * neither go to an address that was left, nor to a webhook that was switched off or deleted since (D49).
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

  /** @throws where the database is away */
  return async function isUnchanged({ takenAt, delivery, webhook }: Claimed): Promise<boolean> {
    if (performance.now() - takenAt < freshMs) return true;
    const row = await look(delivery.companyId, delivery.webhookId);
    return row !== undefined && row.disabled_at === null && row.updated_at === webhook.updated_at;
  };
}
