import { type ErasureRow, findErasable, insertErasures } from '../../storage/queries/erasures.ts';
import type { Store } from '../../storage/store.ts';
import { eraseCompany } from './erase-company.ts';
import { eraseContact } from './erase-contact.ts';

/**
 * Erases contacts and companies again, after a backup was restored. An entity with the same ID but another creation time is
 * a different entity and stays unchanged.
 * @param now milliseconds since 1970
 * @returns the number of erased entities
 */
export async function applyErasures(
  store: Store,
  erasures: readonly ErasureRow[],
  now: number,
): Promise<number> {
  let applied = 0;
  for (const erasure of erasures) {
    const { company_id: companyId, kind, entity_id: id } = erasure;
    const found = await store.read((db) => findErasable(db, erasure));
    if (found?.entity_created_at !== erasure.entity_created_at) continue;
    if (kind === 'company') await eraseCompany(store, companyId, { now, onProgress: () => {} });
    else await eraseContact(store, companyId, id, { now });
    applied += 1;
  }
  await store.write((db) => insertErasures(db, erasures));
  if (applied > 0) await store.purgeDeleted();
  return applied;
}
