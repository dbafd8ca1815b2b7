import { sql } from 'kysely';
import {
  type DeliveryKey,
  type DueDelivery,
  dueColumns,
  isFirstOfEntity,
  type Lease,
  type Settlement,
  type Shares,
} from './queue.ts';
import type { Database } from './store.ts';

/** One question for all webhooks; what another worker is taking at this moment is passed by. */
export async function findDueInPostgres(db: Database, shares: Shares, now: number): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`select due.*
    from json_to_recordset(${JSON.stringify(shares)}::json) as s("companyId" bigint, "webhookId" bigint, share bigint)
    cross join lateral (
      select ${dueColumns} from deliveries d
      where d.company_id = s."companyId" and d.webhook_id = s."webhookId"
        and d.state = 'waiting' and d.leased_by is null and d.due_at <= ${now} and ${isFirstOfEntity(now)}
      order by d.due_at, d.sequence limit s.share
      for update of d skip locked
    ) due`.execute(db);
  return rows;
}

const sameKey = sql`deliveries.company_id = v."companyId" and deliveries.webhook_id = v."webhookId"
  and deliveries.sequence = v.sequence`;

export async function leaseInPostgres(
  db: Database,
  keys: readonly DeliveryKey[],
  { from, worker, until }: Lease,
): Promise<void> {
  await sql`update deliveries set leased_by = ${worker}, leased_until = ${until}
    from json_to_recordset(${JSON.stringify(keys)}::json)
      as v("companyId" bigint, "webhookId" bigint, sequence bigint)
    where ${sameKey} and deliveries.leased_by is not distinct from ${from}`.execute(db);
}

export async function settleInPostgres(
  db: Database,
  worker: string,
  settlements: readonly Settlement[],
): Promise<void> {
  await sql`update deliveries
    set state = v.state, due_at = v."dueAt", leased_by = null, leased_until = null, attempts = v.attempts, log = v.log
    from json_to_recordset(${JSON.stringify(settlements)}::json) as v("companyId" bigint, "webhookId" bigint,
      sequence bigint, state text, "dueAt" bigint, attempts bigint, log text)
    where ${sameKey} and deliveries.leased_by = ${worker}`.execute(db);
}
