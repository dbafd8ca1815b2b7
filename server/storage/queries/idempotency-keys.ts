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
 * Takes a key for a creation. Where somebody else is at work with it, this waits for his commit.
 * @returns false where it is taken
 * @throws LockTimeout where that takes too long
 */
export async function claimIdempotencyKey(
  db: Database,
  row: Pick<IdempotencyKeyRow, 'company_id' | 'key' | 'request_digest' | 'created_at'>,
): Promise<boolean> {
  const taken = await db
    .insertInto('idempotency_keys')
    // Nobody sees it without its answer, which comes in the same transaction.
    .values({ ...row, status: 0, headers: '', body: '' })
    .onConflict((conflict) => conflict.columns(['company_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Keeps the answer that a key was given. */
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

/** Forgets a key that is older than it is kept. */
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

/** Some of those of all companies: work of the service itself. @returns how many they were */
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
