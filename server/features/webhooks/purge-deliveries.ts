import { listOldest, purgeDeliveries } from '../../storage/queries/deliveries.ts';
import { listAllWebhooks } from '../../storage/queries/webhooks.ts';
import type { Store } from '../../storage/store.ts';
import { deliveryRetentionMs } from './enable-disable.ts';

const partSize = 500;

/**
 * Forgets what was delivered, or ended with its webhook, when it is old enough (D61). What was given up is kept, and
 * so is what may still be sent. @returns how many were forgotten
 */
export async function purgeOldDeliveries(store: Store, now: number): Promise<number> {
  let forgotten = 0;
  for (const { company_id: companyId, id } of await store.read(listAllWebhooks))
    for (let after = 0; ; ) {
      const part = await store.read((db) => listOldest(db, companyId, id, { after, limit: partSize }));
      const old = part.filter(({ created_at }) => created_at < now - deliveryRetentionMs);
      const over = old.filter(({ state }) => state === 'delivered' || state === 'ended');
      const sequences = over.map(({ sequence }) => sequence);
      if (sequences.length > 0)
        forgotten += await store.write((db) => purgeDeliveries(db, companyId, id, sequences), companyId);
      after = part.at(-1)?.sequence ?? after;
      if (old.length < partSize) break;
    }
  return forgotten;
}
