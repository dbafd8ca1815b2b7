import { sql } from 'kysely';
import type { Database } from '../store.ts';
import { waitingWebhooks } from './delivery-queue.ts';

/** Counting more waiting deliveries would take long. */
export const maxCounted = 100_000;

/** The number of webhooks, in order of company, among which the latest delivery is searched. */
const maxSearched = 10_000;

/** The state of the delivery queue. */
export interface QueueStats {
  /** Number of waiting deliveries, at most `maxCounted`. */
  waiting: number;
  /**
   * Due time of the oldest delivery that a worker could send now: it is not claimed, its webhook is enabled and does not fail,
   * and no request to its receiver is in flight. Undefined if every delivery is sent in time.
   */
  lateSince: number | undefined;
}

/** Reads the state of the queue. Its cost does not depend on the number of waiting deliveries. */
export async function queueStats(db: Database, now: number): Promise<QueueStats> {
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from (
      select 1 from deliveries where state = 'waiting' limit ${sql.lit(maxCounted)}) d`.execute(db);
  const { rows: late } = await sql<{ due_at: number | null }>`select min(q.due_at) as due_at
    from (${waitingWebhooks({ companyId: 0, webhookId: 0 }, maxSearched)}) q
    join webhooks w on w.company_id = q.company_id and w.id = q.webhook_id
    where q.due_at <= ${now} and w.deleted_at is null and w.disabled_at is null and w.failing_since is null
      and not exists (select 1 from deliveries l where l.company_id = q.company_id and l.webhook_id = q.webhook_id
        and l.leased_by is not null and l.leased_until > ${now})`.execute(db);
  return { waiting: Number(counted[0]?.count ?? 0), lateSince: late[0]?.due_at ?? undefined };
}
