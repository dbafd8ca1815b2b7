import { sql } from 'kysely';
import { preparedStatement } from '../prepared-statement.ts';
import {
  type ClaimedWebhook,
  claimedColumns,
  type DeliveryKey,
  type DeliveryUpdate,
  type DueDelivery,
  dueColumns,
  formatDeliveryKey,
  isFirstOfEntity,
  isSendableBy,
  type Lease,
  maxCandidates,
  type Shares,
} from '../queue-types.ts';
import type { Database } from '../store.ts';

/**
 * Finds due deliveries with one query per webhook, because prepared statements are cheap here. SQLite returns the rows
 * in the order of the inner query.
 */
export async function findDueInSqlite(db: Database, shares: Shares, now: number): Promise<DueDelivery[]> {
  const due: DueDelivery[] = [];
  for (const { companyId, webhookId, share } of shares) {
    const { rows } = await sql<DueDelivery>`select ${dueColumns} from (
        select * from deliveries
        where company_id = ${companyId} and webhook_id = ${webhookId}
          and state = 'waiting' and leased_by is null and due_at <= ${now}
        order by due_at, sequence limit ${maxCandidates(share)}
      ) d where ${isFirstOfEntity(now)} limit ${share}`.execute(db);
    due.push(...rows);
  }
  return due;
}

const keysIn = (keys: readonly DeliveryKey[]) =>
  sql`(select value ->> 'companyId' as company_id, value ->> 'webhookId' as webhook_id, value ->> 'sequence' as sequence
    from json_each(${JSON.stringify(keys)})) v`;

const sameKey = sql`deliveries.company_id = v.company_id and deliveries.webhook_id = v.webhook_id
  and deliveries.sequence = v.sequence`;

export async function leaseInSqlite(
  db: Database,
  keys: readonly DeliveryKey[],
  { from, worker, until }: Lease,
): Promise<void> {
  await sql`update deliveries set leased_by = ${worker}, leased_until = ${until} from ${keysIn(keys)} where ${sameKey} and deliveries.leased_by is not distinct from ${from}`.execute(
    db,
  );
}

const findClaimed = preparedStatement(
  (db, { worker, companyId, webhookId, sequence }: DeliveryKey & { worker: string }) => ({
    compile: () =>
      sql<ClaimedWebhook>`select ${claimedColumns} from deliveries d
        join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
        where d.company_id = ${companyId} and d.webhook_id = ${webhookId} and d.sequence = ${sequence}
          and ${isSendableBy(worker)}`.compile(db),
  }),
);

export async function findClaimedInSqlite(
  db: Database,
  worker: string,
  keys: readonly DeliveryKey[],
): Promise<ClaimedWebhook[]> {
  const found: ClaimedWebhook[] = [];
  for (const key of keys) found.push(...(await findClaimed(db, { worker, ...key })));
  return found;
}

export async function recordOutcomesInSqlite(
  db: Database,
  worker: string,
  settlements: readonly DeliveryUpdate[],
): Promise<string[]> {
  const { rows } = await sql<{ webhookId: number; sequence: number }>`update deliveries
    set state = v.state, due_at = v.due_at, leased_by = null, leased_until = null, attempts = v.attempts, log = v.log
    from (select value ->> 'companyId' as company_id, value ->> 'webhookId' as webhook_id,
        value ->> 'sequence' as sequence, value ->> 'state' as state, value ->> 'dueAt' as due_at,
        value ->> 'attempts' as attempts, value ->> 'log' as log
      from json_each(${JSON.stringify(settlements)})) v
    where ${sameKey} and deliveries.leased_by = ${worker} and deliveries.state = 'waiting'
    returning webhook_id as "webhookId", sequence`.execute(db);
  return rows.map(formatDeliveryKey);
}
