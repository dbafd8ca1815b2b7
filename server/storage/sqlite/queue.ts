import { sql } from 'kysely';
import { preparedStatement } from '../prepared-statement.ts';
import {
  type ClaimedWebhook,
  claimedColumns,
  type DeliveryKey,
  type DueDelivery,
  dueColumns,
  formatDeliveryKey,
  isFirstOfEntity,
  isSendableBy,
  type Lease,
  maxCandidates,
  type Shares,
  type StoredUpdate,
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

/** The rows of a list of keys. @param keys the list as JSON */
const listedIn = (keys: string) =>
  sql`(select value ->> 'companyId' as company_id, value ->> 'webhookId' as webhook_id, value ->> 'sequence' as sequence
    from json_each(${keys})) v`;

const sameKey = sql`deliveries.company_id = v.company_id and deliveries.webhook_id = v.webhook_id
  and deliveries.sequence = v.sequence`;

export async function leaseInSqlite(
  db: Database,
  keys: readonly DeliveryKey[],
  { from, worker, until }: Lease,
): Promise<void> {
  await sql`update deliveries set leased_by = ${worker}, leased_until = ${until} from ${listedIn(JSON.stringify(keys))} where ${sameKey} and deliveries.leased_by is not distinct from ${from}`.execute(
    db,
  );
}

// One statement for all keys, because each statement takes a lock on the database file. A cross join keeps the order of the
// tables.
const findClaimed = preparedStatement((db, { worker, keys }: { worker: string; keys: string }) => ({
  compile: () =>
    sql<ClaimedWebhook>`select ${claimedColumns} from ${listedIn(keys)}
      cross join deliveries d on d.company_id = v.company_id and d.webhook_id = v.webhook_id and d.sequence = v.sequence
      cross join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
      where ${isSendableBy(worker)}`.compile(db),
}));

export const findClaimedInSqlite = (
  db: Database,
  worker: string,
  keys: readonly DeliveryKey[],
): Promise<ClaimedWebhook[]> => findClaimed(db, { worker, keys: JSON.stringify(keys) });

export async function recordOutcomesInSqlite(
  db: Database,
  worker: string,
  updates: readonly StoredUpdate[],
): Promise<string[]> {
  const { rows } = await sql<{ webhookId: number; sequence: number }>`update deliveries
    set state = v.state, due_at = v.due_at, leased_by = null, leased_until = null, attempts = v.attempts, log = v.log
    from (select value ->> 'companyId' as company_id, value ->> 'webhookId' as webhook_id,
        value ->> 'sequence' as sequence, value ->> 'state' as state, value ->> 'dueAt' as due_at,
        value ->> 'attempts' as attempts, value ->> 'log' as log
      from json_each(${JSON.stringify(updates)})) v
    where ${sameKey} and deliveries.leased_by = ${worker} and deliveries.state = 'waiting'
    returning webhook_id as "webhookId", sequence`.execute(db);
  return rows.map(formatDeliveryKey);
}
