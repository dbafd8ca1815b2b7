import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { IdempotencyKeyTable } from '../tables/idempotency-keys.ts';
import { deleteRows, is, selectRows } from './rows.ts';

/**
 * Claims a key. If a concurrent transaction has claimed the same key, waits until that transaction ends.
 * @returns false if the key is taken
 * @throws LockTimeout if the wait takes too long
 */
export async function claimIdempotencyKey(
  db: Database,
  row: Pick<Selectable<IdempotencyKeyTable>, 'company_id' | 'key' | 'request_digest' | 'created_at'>,
): Promise<boolean> {
  const taken = await db
    .insertInto('idempotency_keys')
    // Other transactions never see the key without its response, because the same transaction stores both.
    .values({ ...row, status: 0, headers: '', body: '' })
    .onConflict((conflict) => conflict.columns(['company_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes a company's keys from before a timestamp, in batches. @returns the number of deleted keys */
export async function purgeOldIdempotencyKeys(
  db: Database,
  companyId: number,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = { company_id: companyId, created_at: is.lessThan(before) };
  const rows = await selectRows(db, 'idempotency_keys', ['key'], old, { limit });
  // A request may have replaced an expired key meanwhile.
  return deleteRows(db, 'idempotency_keys', { ...old, key: rows.map(({ key }) => key) });
}
