import { type ErasureRow, findErasable, insertErasures } from '../../storage/queries/erasures.ts';
import { revokeToken } from '../../storage/queries/tokens.ts';
import { findWebhookForUpdate } from '../../storage/queries/webhooks.ts';
import type { Database, Store } from '../../storage/store.ts';
import { disableWebhookForOperator, isDisabledByOperator } from '../webhooks/enable-disable.ts';
import { eraseCompany } from './erase-company.ts';
import { eraseContact } from './erase-contact.ts';

/**
 * Erases entities, revokes tokens and disables webhooks again, after a backup was restored. An entity with the same ID
 * but another creation time is a different entity and stays unchanged.
 * @param now milliseconds since 1970
 * @returns the erasures that changed something
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
    if (await applyErasure(store, erasure, now)) applied.push(erasure);
  }
  await store.write((db) => insertErasures(db, erasures));
  if (applied.length > 0) await store.purgeDeleted();
  return applied;
}

async function applyErasure(store: Store, erasure: ErasureRow, now: number): Promise<boolean> {
  const { company_id: companyId, kind, entity_id: id } = erasure;
  switch (kind) {
    case 'company':
      await eraseCompany(store, companyId, { now, onProgress: () => {} });
      return true;
    case 'contact':
      await eraseContact(store, companyId, id, { now });
      return true;
    case 'token':
      return store.write((db) => revokeToken(db, companyId, id, erasure.erased_at));
    case 'webhook':
      return store.write((db) => disableForOperator(db, companyId, id, now));
  }
}

async function disableForOperator(
  db: Database,
  companyId: number,
  id: number,
  now: number,
): Promise<boolean> {
  const webhook = await findWebhookForUpdate(db, companyId, id);
  if (!webhook || isDisabledByOperator(webhook)) return false;
  await disableWebhookForOperator(db, webhook, now);
  return true;
}
