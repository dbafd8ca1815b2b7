import { listCompanies } from '../../storage/queries/companies.ts';
import { findConversationForUpdate } from '../../storage/queries/conversations.ts';
import { batchSize, type ExpiryTimes, listExpired } from '../../storage/queries/erasure.ts';
import type { DeliveryKey } from '../../storage/queue-types.ts';
import { type ErasableTable, erasableTables } from '../../storage/schema.ts';
import type { Database, Store } from '../../storage/store.ts';
import { purgeIdempotencyKeys } from '../idempotency.ts';
import { eraseContact } from './erase-contact.ts';
import { type ErasureCounts, eraseEntities, noErasures } from './erase-entities.ts';
import { finishErasure } from './finish-erasure.ts';

/** Retention periods in days; null keeps data forever. */
export interface Retention {
  retentionDeletedDays: number | null;
  retentionClosedDays: number | null;
}

const dayMs = 86_400_000;

/**
 * Erases data whose retention period has ended, for all companies: deleted data, and closed conversations without
 * activity. It reads all rows of these tables, so the service runs it only once a day.
 * @param now milliseconds since 1970
 */
export async function eraseExpired(store: Store, keep: Retention, now: number): Promise<ErasureCounts> {
  const erased = noErasures();
  const before = (days: number | null) => (days === null ? 0 : now - days * dayMs);
  const times = { deleted: before(keep.retentionDeletedDays), closed: before(keep.retentionClosedDays) };
  if (times.deleted === 0 && times.closed === 0) return erased;

  await purgeIdempotencyKeys(store, now);
  for (const { id: companyId } of await store.read(listCompanies)) {
    const claimed: DeliveryKey[] = [];
    // Parents first, because everything else is erased with them.
    for (const table of erasableTables) {
      const ids = await expiredIds(store, companyId, table, times);
      if (table === 'contacts')
        for (const id of ids) await eraseContact(store, companyId, id, { now, erased, claimed });
      else {
        // A conversation may have been reopened since it was listed.
        const mayErase = async (db: Database, id: number) => {
          if (table === 'conversations') await findConversationForUpdate(db, companyId, id);
          const [row] = await listExpired(db, companyId, table, times, { after: id - 1, limit: 1 });
          return row?.id === id && row.is_expired === 1;
        };
        await eraseEntities(store, companyId, { table, ids, mayErase }, { now, erased, claimed });
      }
    }
    if (claimed.length > 0) await finishErasure(store, companyId, claimed, { now });
  }
  // Runs even if nothing has expired now, because the previous run may have been interrupted before this step.
  await store.purgeDeleted();
  return erased;
}

async function expiredIds(
  store: Store,
  companyId: number,
  table: ErasableTable,
  times: ExpiryTimes,
): Promise<number[]> {
  const ids: number[] = [];
  for (let after = 0; ; ) {
    const part = await store.read((db) => listExpired(db, companyId, table, times, { after }));
    ids.push(...part.flatMap(({ id, is_expired }) => (is_expired === 1 ? id : [])));
    const last = part.at(-1);
    if (!last || part.length < batchSize) return ids;
    after = last.id;
  }
}
