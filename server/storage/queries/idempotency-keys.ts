import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { IdempotencyKeyTable } from '../tables/idempotency-keys.ts';

type IdempotencyKeyRow = Selectable<IdempotencyKeyTable>;

/**
 * Claims a key. If a concurrent transaction has claimed the same key, waits until that transaction ends.
 * @returns false if the key is taken
 * @throws LockTimeout if the wait takes too long
 */
export async function claimIdempotencyKey(
  db: Database,
  row: Pick<IdempotencyKeyRow, 'company_id' | 'key' | 'request_digest' | 'created_at'>,
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
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('company_id', '=', companyId)
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('idempotency_keys')
        .select('key')
        .where('company_id', '=', companyId)
        .where('created_at', '<', before)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
