import { sql } from 'kysely';
import { type DueDelivery, dueColumns, isFirstOfEntity, maxCandidates, type Shares } from '../queue-types.ts';
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
