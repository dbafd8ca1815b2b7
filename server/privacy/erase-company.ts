import { eraseBatch, eraseCompanyRow, ownedTables } from '../storage/queries/company-data.ts';
import { batchSize } from '../storage/queries/erasure.ts';
import type { Store } from '../storage/store.ts';

/**
 * Erases a company with all its data, in batches. An interrupted run can be repeated. The company's tokens are erased
 * first, so that no further request is authenticated.
 * @param onProgress called after each batch with the total number of erased rows
 * @returns the number of erased rows per table
 */
export async function eraseCompany(
  store: Store,
  companyId: number,
  onProgress: (rows: number, table: string) => void,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  let all = 0;
  for (const table of ownedTables) {
    deleted[table] = 0;
    for (;;) {
      const rows = await store.write((db) => eraseBatch(db, companyId, table), companyId);
      deleted[table] += rows;
      all += rows;
      onProgress(all, table);
      if (rows < batchSize) break;
    }
  }
  await store.write((db) => eraseCompanyRow(db, companyId), companyId);
  return deleted;
}
