import { applyErasures } from '../features/privacy/apply-erasures.ts';
import { openStore } from '../runtime/open-store.ts';
import { advanceIds } from '../storage/queries/advance-ids.ts';
import { releaseAllLeases } from '../storage/queries/delivery-queue.ts';
import type { ErasureRow } from '../storage/queries/erasures.ts';
import { revokeAllTokens } from '../storage/queries/tokens.ts';
import { disableAllWebhooks, restoreWebhookState } from '../storage/queries/webhooks.ts';
import { type CarryOver, continueIds } from '../storage/sqlite/carry-over.ts';
import { copyAuditRecords } from '../storage/sqlite/copy-audit-records.ts';
import type { Store } from '../storage/store.ts';
import { audited } from './action.ts';

/** More IDs than a service assigns between two backups. */
export const defaultAdvance = 1_000_000;

/** The options that complete a restore. */
export interface CompletionOptions {
  erasures?: string;
  advanceBy?: number;
  revokeTokens?: true;
  disableWebhooks?: true;
}

/** The numbers of changes. */
export interface Applied {
  tokens: number;
  webhooks: number;
  erased: number;
}

export const formatApplied = ({ tokens, webhooks, erased }: Applied): string =>
  `Tokens revoked: ${tokens}. Webhooks disabled: ${webhooks}. Erased again: ${erased}.`;

export const appliedJson = ({ tokens, webhooks, erased }: Applied) => ({
  tokens_revoked: tokens,
  webhooks_disabled: webhooks,
  erased_again: erased,
});

interface Changes extends Omit<CompletionOptions, 'erasures'> {
  erasures: readonly ErasureRow[];
}

/** Reapplies changes newer than the backup, and those that the options require. */
export async function applyCarryOver(
  file: string,
  { erasures, ...options }: Changes,
  carryOver: CarryOver | undefined,
  replaced: string,
): Promise<Applied> {
  const store = audited(await openStore({ engine: 'sqlite', file }, { mayCreate: false }));
  try {
    // Before the first write, which records this command.
    if (carryOver?.isIntact) copyAuditRecords(file, replaced);
    await store.write(async (db) => {
      // The workers of the backup no longer run. Erasures would wait for them.
      await releaseAllLeases(db);
      for (const row of carryOver?.webhooks ?? []) await restoreWebhookState(db, row);
      await continueIds(db, carryOver?.lastIds ?? []);
    });
    return await applyChanges(store, {
      // The last IDs of a database that is missing or corrupted are not known for certain.
      ...(carryOver?.isIntact ? {} : { advanceBy: defaultAdvance }),
      ...options,
      erasures: [...(carryOver?.erasures ?? []), ...erasures],
    });
  } finally {
    await store.close();
  }
}

/** Advances IDs, erases entities, revokes tokens and disables webhooks. */
export async function applyChanges(
  store: Store,
  { erasures, advanceBy, revokeTokens, disableWebhooks }: Changes,
): Promise<Applied> {
  const now = Date.now();
  if (advanceBy !== undefined) await store.write((db) => advanceIds(db, advanceBy));
  const applied = Map.groupBy(await applyErasures(store, erasures, now), ({ kind }) => kind);
  const count = (...kinds: ErasureRow['kind'][]) =>
    kinds.reduce((sum, kind) => sum + (applied.get(kind)?.length ?? 0), 0);
  return store.write(async (db) => ({
    tokens: count('token') + (revokeTokens ? await revokeAllTokens(db, now) : 0),
    webhooks: count('webhook') + (disableWebhooks ? await disableAllWebhooks(db, now) : 0),
    erased: count('contact', 'company'),
  }));
}
