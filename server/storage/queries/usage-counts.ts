import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../store.ts';
import type { OwnedTable } from '../tables.ts';

/** Requests of a company on one day. */
export interface UsageCount {
  companyId: number;
  /** Days since 1970, in UTC. */
  day: number;
  requests: number;
  webhookRequests: number;
}

// Limits the number of parameters of a statement.
const maxRows = 1_000;

/** Adds counts to those of the same company and day. */
export async function addUsage(db: Database, counts: readonly UsageCount[]): Promise<void> {
  const rows = counts
    .map(({ companyId, day, requests, webhookRequests }) => ({
      company_id: companyId,
      day,
      requests,
      webhook_requests: webhookRequests,
    }))
    // Locking rows in one global order prevents deadlocks.
    .sort((one, other) => one.company_id - other.company_id || one.day - other.day);
  for (let at = 0; at < rows.length; at += maxRows)
    await db
      .insertInto('usage_counts')
      .values(rows.slice(at, at + maxRows))
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'day']).doUpdateSet({
          requests: sql<number>`usage_counts.requests + excluded.requests`,
          webhook_requests: sql<number>`usage_counts.webhook_requests + excluded.webhook_requests`,
        }),
      )
      .execute();
}

/** Days since 1970: at or after `from`, and before `to`. */
export interface UsagePeriod {
  companyId?: number | undefined;
  from: number;
  to: number;
}

/** Sums the counts of a period per company, or of one company. */
export async function sumUsage(
  db: Database,
  { companyId, from, to }: UsagePeriod,
): Promise<Omit<UsageCount, 'day'>[]> {
  let query = db
    .selectFrom('usage_counts')
    .select((eb) => [
      'company_id',
      eb.fn.sum('requests').as('requests'),
      eb.fn.sum('webhook_requests').as('webhook_requests'),
    ])
    .where('day', '>=', from)
    .where('day', '<', to)
    .groupBy('company_id');
  if (companyId !== undefined) query = query.where('company_id', '=', companyId);
  const rows = await query.execute();
  return rows.map(({ company_id, requests, webhook_requests }) => ({
    companyId: company_id,
    requests: Number(requests),
    webhookRequests: Number(webhook_requests),
  }));
}

/** The stored data of a company, deleted data included that is not erased yet. */
export interface StoredData {
  contacts: number;
  conversations: number;
  messages: number;
  deliveries: number;
  /** Size of the messages and of the events in deliveries. */
  bytes: number;
}

/** Counts the stored data of a company. It reads all of it, so it can take minutes. */
export async function countStoredData(db: Database, companyId: number): Promise<StoredData> {
  const count = async (table: OwnedTable, size: RawBuilder<number> = sql`0`) => {
    const row = await db
      .selectFrom(table)
      .select((eb) => [eb.fn.countAll().as('rows'), sql`sum(${size})`.as('bytes')])
      .where('company_id', '=', companyId)
      .executeTakeFirstOrThrow();
    return { rows: Number(row.rows), bytes: Number(row.bytes ?? 0) };
  };
  const contacts = await count('contacts');
  const conversations = await count('conversations');
  const messages = await count('messages', sql`payload_bytes`);
  const deliveries = await count('deliveries');
  const events = await count('delivery_payloads', sql`octet_length(payload)`);
  return {
    contacts: contacts.rows,
    conversations: conversations.rows,
    messages: messages.rows,
    deliveries: deliveries.rows,
    bytes: messages.bytes + events.bytes,
  };
}
