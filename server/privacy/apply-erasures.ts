import { type ErasureRow, findErasable, insertErasures } from '../storage/queries/erasures.ts';
import type { Store } from '../storage/store.ts';
import { eraseCompany } from './erase-company.ts';
import { eraseContact } from './erase-contact.ts';

/**
 * Repeats erasures after a restore. An entity with the same ID but another creation time is a different one, and
 * stays.
 * @param now milliseconds since 1970
 * @returns the erasures that were applied
 */
export async function applyErasures(
  store: Store,
  erasures: readonly ErasureRow[],
  now: number,
): Promise<ErasureRow[]> {
  const applied: ErasureRow[] = [];
  for (const erasure of erasures) {
    const found = await store.read((db) => findErasable(db, erasure));
    if (found?.entity_created_at !== erasure.entity_created_at) continue;
    if (erasure.kind === 'company') await eraseCompany(store, erasure.company_id, () => {});
    else await eraseContact(store, erasure.company_id, erasure.entity_id, { now });
    applied.push(erasure);
  }
  await store.write((db) => insertErasures(db, erasures));
  if (applied.length > 0) await store.purgeDeleted();
  return applied;
}
