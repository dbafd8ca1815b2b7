import { listCompanies } from '../../storage/queries/companies.ts';
import { findConversationForUpdate } from '../../storage/queries/conversations.ts';
import { type Aging, batchSize, lastMessageChangeAt, listAging } from '../../storage/queries/erasure.ts';
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
  const before = (days: number | null) => (days === null ? Number.NEGATIVE_INFINITY : now - days * dayMs);
  const deleted = before(keep.retentionDeletedDays);
  const closed = before(keep.retentionClosedDays);
  if (keep.retentionDeletedDays === null && keep.retentionClosedDays === null) return erased;

  await purgeIdempotencyKeys(store, now);
  for (const { id: companyId } of await store.read(listCompanies)) {
    const claimed: DeliveryKey[] = [];
    // Parents first, because everything else is erased with them.
    for (const table of erasableTables) {
      const isExpired = async (row: Aging) =>
        isDeleted(row, deleted) ||
        (table === 'conversations' && (await isInactive(store, companyId, row, closed)));
      const ids = await expired(store, companyId, table, isExpired);
      if (table === 'contacts')
        for (const id of ids) await eraseContact(store, companyId, id, { now, erased, claimed });
      else {
        // The conversation may have been reopened since it was listed.
        const mayErase = async (db: Database, id: number) => {
          const row = await findConversationForUpdate(db, companyId, id);
          return (
            !row || (isClosedSince(row, closed) && (await lastMessageChangeAt(db, companyId, id)) < closed)
          );
        };
        const only = table === 'conversations' ? { mayErase } : {};
        await eraseEntities(store, companyId, { table, ids, ...only }, { now, erased, claimed });
      }
    }
    if (claimed.length > 0) await finishErasure(store, companyId, claimed, { now });
  }
  // Runs even if nothing has expired now, because the previous run may have been interrupted before this step.
  await store.purgeDeleted();
  return erased;
}

const isDeleted = ({ deleted_at }: Aging, timestamp: number): boolean =>
  deleted_at !== null && deleted_at < timestamp;

async function isInactive(store: Store, companyId: number, row: Aging, timestamp: number): Promise<boolean> {
  return (
    isClosedSince(row, timestamp) &&
    (await store.read((db) => lastMessageChangeAt(db, companyId, row.id))) < timestamp
  );
}

const isClosedSince = (
  { is_closed, updated_at }: Pick<Aging, 'is_closed' | 'updated_at'>,
  timestamp: number,
) => is_closed === 1 && updated_at < timestamp;

async function expired(
  store: Store,
  companyId: number,
  table: ErasableTable,
  isExpired: (row: Aging) => boolean | Promise<boolean>,
): Promise<number[]> {
  const ids: number[] = [];
  for (let after = 0; ; ) {
    const part = await store.read((db) => listAging(db, companyId, table, after));
    for (const row of part) if (await isExpired(row)) ids.push(row.id);
    const last = part.at(-1);
    if (!last || part.length < batchSize) return ids;
    after = last.id;
  }
}
