import type { Insertable, Selectable } from 'kysely';
import type { IdempotencyKeyTable } from './schema.ts';
import type { Database } from './store.ts';

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

export async function insertIdempotencyKey(
  db: Database,
  row: Insertable<IdempotencyKeyTable>,
): Promise<void> {
  await db.insertInto('idempotency_keys').values(row).execute();
}

export async function dropIdempotencyKeysBefore(
  db: Database,
  companyId: number,
  moment: number,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('company_id', '=', companyId)
    .where('created_at', '<', moment)
    .execute();
}

/** Of all companies: work of the service itself. */
export async function dropAllIdempotencyKeysBefore(db: Database, moment: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', moment).execute();
}
