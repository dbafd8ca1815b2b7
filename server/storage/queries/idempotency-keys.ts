import type { Selectable } from 'kysely';
import type { IdempotencyKeyTable } from '../schema.ts';
import type { Database } from '../store.ts';

type IdempotencyKeyRow = Selectable<IdempotencyKeyTable>;

export function findIdempotencyKey(
  db: Database,
  companyId: number,
  key: string,
): Promise<IdempotencyKeyRow | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/**
 * Claims a key. Waits if a concurrent transaction has claimed the same key, until that transaction ends.
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

/** Stores the response of a claimed key. */
export async function storeResponse(
  db: Database,
  companyId: number,
  key: string,
  response: Pick<IdempotencyKeyRow, 'status' | 'headers' | 'body'>,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set(response)
    .where('company_id', '=', companyId)
    .where('key', '=', key)
    .execute();
}

/** Purges a key if it was created before a timestamp. */
export async function purgeIdempotencyKeyBefore(
  db: Database,
  companyId: number,
  key: string,
  timestamp: number,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('company_id', '=', companyId)
    .where('key', '=', key)
    .where('created_at', '<', timestamp)
    .execute();
}

/** Purges a batch of expired keys of all companies. @returns their number */
export async function purgeOldIdempotencyKeys(
  db: Database,
  timestamp: number,
  most: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('company_id', 'key'),
        'in',
        selectFrom('idempotency_keys')
          .select(['company_id', 'key'])
          .where('created_at', '<', timestamp)
          .limit(most)
          .$asTuple('company_id', 'key'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
