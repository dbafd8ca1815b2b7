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

/** Finds due deliveries of all given webhooks with one query. Skips rows that another worker is claiming. */
export async function findDueInPostgres(db: Database, shares: Shares, now: number): Promise<DueDelivery[]> {
  const requested = shares.map((one) => ({ ...one, look: maxCandidates(one.share) }));
  const { rows } = await sql<DueDelivery>`select due.*
    from json_to_recordset(${JSON.stringify(requested)}::json)
      as s("companyId" bigint, "webhookId" bigint, share bigint, look bigint)
    cross join lateral (
      select ${dueColumns} from (
        select company_id, webhook_id, sequence, data_id, due_at from deliveries
        where company_id = s."companyId" and webhook_id = s."webhookId"
          and state = 'waiting' and leased_by is null and due_at <= ${now}
        order by due_at, sequence limit s.look
      ) f
      join deliveries d on d.company_id = f.company_id and d.webhook_id = f.webhook_id and d.sequence = f.sequence
      where d.state = 'waiting' and d.leased_by is null and d.due_at <= ${now} and ${isFirstOfEntity(now)}
      order by f.due_at, f.sequence limit s.share
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

const findClaimed = preparedStatement((db, { worker, keys }: { worker: string; keys: string }) => ({
  compile: () =>
    sql<ClaimedWebhook>`select ${claimedColumns}
      from json_to_recordset(${keys}::json) as v("companyId" bigint, "webhookId" bigint, sequence bigint)
      join deliveries d on d.company_id = v."companyId" and d.webhook_id = v."webhookId" and d.sequence = v.sequence
      join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
      where ${isSendableBy(worker)}`.compile(db),
}));

export const findClaimedInPostgres = (
  db: Database,
  worker: string,
  keys: readonly DeliveryKey[],
): Promise<ClaimedWebhook[]> => findClaimed(db, { worker, keys: JSON.stringify(keys) });

export async function recordOutcomesInPostgres(
  db: Database,
  worker: string,
  updates: readonly StoredUpdate[],
): Promise<string[]> {
  const { rows } = await sql<{ webhookId: number; sequence: number }>`update deliveries
    set state = v.state, due_at = v."dueAt", leased_by = null, leased_until = null, attempts = v.attempts, log = v.log
    from json_to_recordset(${JSON.stringify(updates)}::json) as v("companyId" bigint, "webhookId" bigint,
      sequence bigint, state text, "dueAt" bigint, attempts bigint, log text)
    where ${sameKey} and deliveries.leased_by = ${worker} and deliveries.state = 'waiting'
    returning deliveries.webhook_id as "webhookId", deliveries.sequence`.execute(db);
  return rows.map(formatDeliveryKey);
}
