import { sql } from 'kysely';
import type { DueDelivery, Shares } from './queue-types.ts';
import type { Database } from './store.ts';

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

const dueColumns = sql`d.company_id as "companyId", d.webhook_id as "webhookId", d.sequence, d.type,
  d.data_id as "dataId", d.due_at as "dueAt", d.attempts, d.replayed, d.log, d.traceparent,
  (select p.payload from delivery_payloads p where p.company_id = d.company_id
    and p.webhook_id = d.webhook_id and p.sequence = d.sequence) as payload`;

/** The condition that no older delivery about the same entity is due, and no delivery about it is in flight (D46). */
const isFirstOfEntity = (now: number) => sql<boolean>`not exists (
    select 1 from deliveries o where o.company_id = d.company_id and o.webhook_id = d.webhook_id
      and o.data_id = d.data_id and o.sequence < d.sequence and o.state = 'waiting' and o.due_at <= ${now})
  and not exists (
    select 1 from deliveries l where l.company_id = d.company_id and l.webhook_id = d.webhook_id
      and l.data_id = d.data_id and l.leased_by is not null)`;

/**
 * Returns how many due deliveries of a webhook are read to claim at most `share`. More are read than claimed, because
 * only the first of several deliveries about one entity can be claimed.
 */
const maxCandidates = (share: number): number => 4 * share + 256;
