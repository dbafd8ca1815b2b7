import { stateNameOf } from '../storage/delivery-states.ts';
import { listDeliveryStates, purgeDeliveries } from '../storage/queries/deliveries.ts';
import { deleteBatch, is } from '../storage/queries/rows.ts';
import { listAllWebhooks } from '../storage/queries/webhooks.ts';
import { deliveryRetentionMs } from '../storage/queue-types.ts';
import type { Store } from '../storage/store.ts';

// A batch takes a few milliseconds, so it hardly delays other work.
const batchSize = 1_000;

/**
 * Deletes audit records that were created before a time.
 * @param before milliseconds since 1970
 * @returns their number
 */
export async function purgeOldAuditRecords(store: Store, before: number): Promise<number> {
  let count = 0;
  for (let deleted = batchSize; deleted >= batchSize; count += deleted)
    deleted = await store.write((db) =>
      deleteBatch(db, 'audit_records', { created_at: is.lessThan(before) }, batchSize),
    );
  return count;
}

const partSize = 500;

/**
 * Purges delivered and canceled deliveries after their retention period (D61). All others stay.
 * @returns the number of purged deliveries
 */
export async function purgeOldDeliveries(store: Store, now: number): Promise<number> {
  let forgotten = 0;
  for (const { company_id: companyId, id } of await store.read(listAllWebhooks))
    for (let after = 0; ; ) {
      const part = await store.read((db) =>
        listDeliveryStates(db, { companyId, webhookId: id }, { after, limit: partSize }),
      );
      const old = part.filter(({ created_at }) => created_at < now - deliveryRetentionMs);
      const over = old.filter(({ state }) => ['delivered', 'canceled'].includes(stateNameOf(state)));
      const sequences = over.map(({ sequence }) => sequence);
      if (sequences.length > 0)
        forgotten += await store.write((db) => purgeDeliveries(db, companyId, id, sequences), companyId);
      after = part.at(-1)?.sequence ?? after;
      if (old.length < partSize) break;
    }
  return forgotten;
}
