import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { IdempotencyKeyTable } from '../tables/idempotency-keys.ts';

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
