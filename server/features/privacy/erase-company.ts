import { batchSize, eraseBatch, tablesToErase } from '../../storage/queries/erasure.ts';
import { eraseClaimedDeliveries } from '../../storage/queries/revoked-deliveries.ts';
import { deleteRows, findRow, updateRows } from '../../storage/queries/rows.ts';
import type { OwnedTable } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { finishErasure, type WaitOptions } from './finish-erasure.ts';

/**
 * Erases a company with all its data, in batches. An interrupted run can be repeated. The company's tokens are erased
 * first, so that no further request is authenticated. It returns when no webhook request of the company is in flight.
 * @param onProgress called after each batch with the total number of erased rows
 * @returns the number of erased rows per table
 */
export async function eraseCompany(
  store: Store,
  companyId: number,
  {
    onProgress,
    ...waiting
  }: WaitOptions & { now: number; onProgress: (rows: number, table: string) => void },
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  let all = 0;
  const count = (rows: number, table: OwnedTable): void => {
    deleted[table] = (deleted[table] ?? 0) + rows;
    all += rows;
    onProgress(all, table);
  };
  const eraseTable = async (table: OwnedTable): Promise<void> => {
    for (let rows = batchSize; rows === batchSize; ) {
      rows = await store.write((db) => eraseBatch(db, companyId, table), companyId);
      count(rows, table);
    }
  };
  const owned = { company_id: companyId };
  for (const table of tablesToErase) {
    // Operators and the erasure of expired data can still change the company, which would publish events.
    if (table === 'deliveries')
      await store.write(
        (db) => updateRows(db, 'webhooks', { ...owned, deleted_at: null }, { deleted_at: waiting.now }),
        companyId,
      );
    await eraseTable(table);
    // A worker may claim or release a delivery between two batches.
    while (table === 'deliveries' && (await store.read((db) => findRow(db, table, owned)))) {
      const claimed = await store.write((db) => eraseClaimedDeliveries(db, companyId), companyId);
      await finishErasure(store, companyId, claimed, waiting);
      count(claimed.length, table);
      await eraseTable(table);
    }
  }
  await store.write((db) => deleteRows(db, 'companies', { id: companyId }), companyId);
  return deleted;
}
