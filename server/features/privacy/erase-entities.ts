import { pathTo } from '../../own-contract/handler.ts';
import { batchSize, eraseRows } from '../../storage/queries/erasure.ts';
import { type ErasedDeliveries, eraseDeliveries } from '../../storage/queries/revoked-deliveries.ts';
import { deleteRows, is, selectRows, updateRow } from '../../storage/queries/rows.ts';
import type { DeliveryKey } from '../../storage/queue-types.ts';
import { type ErasableTable, erasableTables, erasedWith, erasureOf } from '../../storage/schema.ts';
import type { Database, Store } from '../../storage/store.ts';
import { idempotencyRetentionMs } from '../idempotency.ts';

/**
 * The number of erased entities by table, of events, sent or not (`deliveries`), and of stored responses to create
 * requests with an `Idempotency-Key` (`responses`).
 */
export type ErasureCounts = Record<ErasableTable | 'deliveries' | 'responses', number>;

export const noErasures = (): ErasureCounts =>
  Object.fromEntries(
    [...erasableTables, 'deliveries', 'responses'].map((name) => [name, 0]),
  ) as ErasureCounts;

export interface Erasing {
  /** Milliseconds since 1970. */
  now: number;
  erased: ErasureCounts;
  /** The claimed deliveries among the erased ones. The caller passes them to `finishErasure`. */
  claimed: DeliveryKey[];
}

/**
 * Erases entities of a table with everything that is erased with them, in batches. An interrupted run can be repeated.
 * @param mayErase decides whether to erase an entity, in the transaction that hides it. Not called for entities without parts.
 */
export async function eraseEntities(
  store: Store,
  companyId: number,
  { table, ids, mayErase }: Entities & { mayErase?: (db: Database, id: number) => Promise<boolean> },
  erasing: Erasing,
): Promise<void> {
  if (erasedWith(table).length === 0) {
    for (let at = 0; at < ids.length; at += batchSize)
      await eraseOnly(store, companyId, { table, ids: ids.slice(at, at + batchSize) }, erasing);
    return;
  }
  for (const id of ids) {
    // Hidden first, so that nothing can be added to it.
    const isHidden = await store.write(async (db) => {
      if (mayErase && !(await mayErase(db, id))) return false;
      await updateRow(db, table, { company_id: companyId, id }, { deleted_at: erasing.now });
      return true;
    }, companyId);
    if (!isHidden) continue;
    await eraseParts(store, companyId, { table, id }, erasing);
    await eraseOnly(store, companyId, { table, ids: [id] }, erasing);
  }
}

interface Entities {
  table: ErasableTable;
  ids: readonly number[];
}

/** Erases what is erased with an entity, but not the entity. */
export async function eraseParts(
  store: Store,
  companyId: number,
  { table, id }: { table: ErasableTable; id: number },
  erasing: Erasing,
): Promise<void> {
  for (const part of erasedWith(table))
    for (;;) {
      const ids = await store.read((db) => listParts(db, companyId, { ...part, id }));
      if (ids.length === 0) break;
      await eraseEntities(store, companyId, { table: part.table, ids }, erasing);
    }
}

/** Returns the IDs of a batch of rows that are erased with another, deleted ones included. */
async function listParts(
  db: Database,
  companyId: number,
  { table, column, id }: { table: ErasableTable; column: string; id: number },
): Promise<number[]> {
  const selection = { company_id: companyId, [column]: id };
  const rows = await selectRows(db, table, ['id'], selection, { limit: batchSize });
  return rows.map((row) => row.id);
}

/** Whether anything exists that is erased with an entity. */
export async function hasParts(
  db: Database,
  companyId: number,
  { table, id }: { table: ErasableTable; id: number },
): Promise<boolean> {
  for (const part of erasedWith(table))
    if ((await listParts(db, companyId, { ...part, id })).length > 0) return true;
  return false;
}

async function eraseOnly(
  store: Store,
  companyId: number,
  { table, ids }: Entities,
  erasing: Erasing,
): Promise<void> {
  await eraseStoredResponsesOf(store, companyId, { table, ids }, erasing);
  const deliveries = await store.write((db) => eraseAll(db, companyId, { table, ids }), companyId);
  noteErased(erasing, { table, count: ids.length, deliveries });
}

export function noteErased(
  { erased, claimed }: Erasing,
  { table, count, deliveries }: { table: ErasableTable; count: number; deliveries: ErasedDeliveries },
): void {
  erased[table] += count;
  erased.deliveries += deliveries.count;
  claimed.push(...deliveries.claimed);
}

/** Erases rows with their events and import keys. @returns the erased events */
export async function eraseAll(
  db: Database,
  companyId: number,
  { table, ids }: Entities,
): Promise<ErasedDeliveries> {
  const deliveries = await eraseDeliveries(db, companyId, table, ids);
  await deleteRows(db, 'import_keys', { company_id: companyId, kind: erasureOf(table).entity, id: ids });
  await eraseRows(db, companyId, table, ids);
  return deliveries;
}

/** Erases stored responses and their idempotency keys. Clients choose the keys, which may contain personal data. */
export async function eraseStoredResponsesOf(
  store: Store,
  companyId: number,
  { table, ids }: Entities,
  { now, erased }: Erasing,
): Promise<void> {
  const { location } = erasureOf(table);
  if (location === null || ids.length === 0) return;
  // The responses of older create requests have been purged. The extra hour allows for clock skew.
  const timestamp = now - idempotencyRetentionMs - 3_600_000;
  const selection = { company_id: companyId, id: ids, created_at: is.atLeast(timestamp) };
  const young = await store.read((db) => selectRows(db, table, ['id'], selection));
  if (young.length === 0) return;
  // As handlers store them. The headers of responses to creates of webhooks are encrypted.
  const headers = young.map(({ id }) => JSON.stringify({ Location: pathTo(location, id) }));
  erased.responses += await store.write(
    (db) => deleteRows(db, 'idempotency_keys', { company_id: companyId, headers }),
    companyId,
  );
}
