import { sql } from 'kysely';
import { type DueDelivery, dueColumns, isFirstOfEntity, maxCandidates, type Shares } from '../queue-types.ts';
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
