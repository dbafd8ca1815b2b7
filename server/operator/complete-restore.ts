import { eraseCompany } from '../features/privacy/erase-company.ts';
import { eraseContact } from '../features/privacy/erase-contact.ts';
import type { DatabaseConfig } from '../runtime/config/database-url.ts';
import { advanceIds } from '../storage/queries/advance-ids.ts';
import { type ErasureRow, findErasable, insertErasures } from '../storage/queries/erasures.ts';
import { revokeAllTokens } from '../storage/queries/tokens.ts';
import { disableAllWebhooks } from '../storage/queries/webhooks.ts';
import type { Store } from '../storage/store.ts';
import type { JsonOption } from './command.ts';
import { cliIo, UsageError, withStore } from './context.ts';
import { readErasures } from './erasures.ts';
import type { Output } from './output.ts';

/** The options that complete a restore. */
export interface CompletionOptions {
  erasures?: string;
  advanceBy?: number;
  revokeTokens?: true;
  disableWebhooks?: true;
}

/** The numbers of changes, as in JSON. */
export interface Applied {
  tokens_revoked: number;
  webhooks_disabled: number;
  erased_again: number;
}

export const formatApplied = (applied: Applied): string =>
  `Tokens revoked: ${applied.tokens_revoked}. Webhooks disabled: ${applied.webhooks_disabled}. Erased again: ${applied.erased_again}.`;

/** The changes that complete a restore. */
export interface Changes extends Omit<CompletionOptions, 'erasures'> {
  erasures: readonly ErasureRow[];
}

/** Completes a restore that another tool has made. */
export async function completeRestore(
  address: DatabaseConfig,
  options: CompletionOptions & JsonOption,
): Promise<Output> {
  const { erasures: file, advanceBy, revokeTokens, disableWebhooks } = options;
  if ((file ?? advanceBy) === undefined)
    throw new UsageError(
      'Give --from. To complete the restore of another tool, give --advance-by or --erasures. See --help.',
    );
  // Otherwise a forgotten --from would revoke the tokens of a database that was not restored.
  if ((revokeTokens ?? disableWebhooks) && advanceBy === undefined)
    throw new UsageError('--revoke-tokens and --disable-webhooks need --from or --advance-by.');
  const erasures = file === undefined ? [] : await readErasures(file);
  cliIo().progress.show('revocations and erasures');
  const done = await withStore(address, ({ store }) => applyChanges(store, { ...options, erasures }));
  return {
    text: `${advanceBy === undefined ? '' : `New IDs continue ${advanceBy.toLocaleString('en')} above the highest ones. `}${formatApplied(done)}`,
    json: { advanced_by: advanceBy ?? null, erasures_listed: erasures.length, ...done },
  };
}

/** Advances IDs, erases entities, revokes tokens and disables webhooks. */
export async function applyChanges(
  store: Store,
  { erasures, advanceBy, revokeTokens, disableWebhooks }: Changes,
): Promise<Applied> {
  const now = Date.now();
  if (advanceBy !== undefined) await store.write((db) => advanceIds(db, advanceBy));
  const erased = await applyErasures(store, erasures, now);
  return store.write(async (db) => ({
    tokens_revoked: revokeTokens ? await revokeAllTokens(db, now) : 0,
    webhooks_disabled: disableWebhooks ? await disableAllWebhooks(db, now) : 0,
    erased_again: erased,
  }));
}

/**
 * Erases contacts and companies again, after a backup was restored. An entity with the same ID but another creation time is
 * a different entity and stays unchanged.
 * @param now milliseconds since 1970
 * @returns the number of erased entities
 */
async function applyErasures(store: Store, erasures: readonly ErasureRow[], now: number): Promise<number> {
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
