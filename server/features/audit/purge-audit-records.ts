import { purgeAuditRecords } from '../../storage/queries/audit-records.ts';
import type { Store } from '../../storage/store.ts';

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
    deleted = await store.write((db) => purgeAuditRecords(db, { before, limit: batchSize }));
  return count;
}
