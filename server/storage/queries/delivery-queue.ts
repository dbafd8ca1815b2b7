import { type RawBuilder, sql } from 'kysely';
import { deliveryStates } from '../delivery-states.ts';
import { engineOf } from '../engine.ts';
import { preparedStatement } from '../prepared-statement.ts';
import {
  type ClaimedWebhook,
  type DeliveryKey,
  type DeliveryUpdate,
  formatDeliveryKey,
  unsignedWaitMs,
  type WebhookKey,
} from '../queue-types.ts';
import type { Database } from '../store.ts';
import { is, selectRows, updateRows } from './rows.ts';
import type { WebhookRow } from './webhooks.ts';

/* The delivery queue. These queries cross companies, because workers serve all of them. */

/** Whether any delivery is due or has an expired lease. */
export async function hasDueDeliveries(db: Database, now: number): Promise<boolean> {
  const { rows } = await sql<{ due: number }>`select 1 as due
    where exists (select 1 from deliveries where state = 'waiting' and leased_by is null and due_at <= ${now})
      or exists (select 1 from deliveries where leased_by is not null and leased_until <= ${now})`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Webhooks that have unclaimed waiting deliveries, with the due time of the first one. They are ordered by company and
 * webhook ID, and begin after the given webhook. Each webhook takes one index lookup.
 */
function waitingWebhooks(after: WebhookKey, limit: number) {
  // Two subqueries, because for a row comparison SQLite would scan all waiting deliveries of the company.
  const next = (column: 'company_id' | 'webhook_id' | 'due_at') => sql`coalesce(
    (select d.${sql.ref(column)} from deliveries d
      where d.state = 'waiting' and d.leased_by is null and d.company_id = r.company_id and d.webhook_id > r.webhook_id
      order by d.webhook_id, d.due_at limit 1),
    (select d.${sql.ref(column)} from deliveries d
      where d.state = 'waiting' and d.leased_by is null and d.company_id > r.company_id
      order by d.company_id, d.webhook_id, d.due_at limit 1))`;
  return sql<{ company_id: number; webhook_id: number; due_at: number }>`
    with recursive r (company_id, webhook_id, due_at, place) as (
      select cast(${after.companyId} as bigint), cast(${after.webhookId} as bigint),
        cast(0 as bigint), 0
      union all
      select ${next('company_id')}, ${next('webhook_id')}, ${next('due_at')}, place + 1
      from r where company_id is not null and place < ${sql.lit(limit)}
    )
    select company_id, webhook_id, due_at from r where place > 0 and company_id is not null order by place`;
}

/**
 * Lists webhooks that have unclaimed waiting deliveries, ordered by company and webhook ID.
 * @param after the webhook after which the list begins
 * @returns at most `limit` webhooks, each with its first due time
 */
export async function listWaiting(
  db: Database,
  after: WebhookKey,
  limit: number,
): Promise<(WebhookKey & { dueAt: number })[]> {
  const { rows } = await waitingWebhooks(after, limit).execute(db);
  return rows.map((row) => ({ companyId: row.company_id, webhookId: row.webhook_id, dueAt: row.due_at }));
}

/** Lists the enabled webhooks among those with these keys, without those whose deliveries do not follow their last change yet. */
export async function listEnabled(db: Database, keys: readonly WebhookKey[]): Promise<WebhookRow[]> {
  if (keys.length === 0) return [];
  const { rowsIn, joinInOrder } = engineOf(db);
  const wanted = keys.map(({ companyId, webhookId }) => ({ companyId, webhookId }));
  const { rows } = await sql<WebhookRow>`select w.*
    from ${rowsIn(sql`${JSON.stringify(wanted)}`, { companyId: 'bigint', webhookId: 'bigint' })}
    ${joinInOrder} webhooks w on w.company_id = v."companyId" and w.id = v."webhookId"
    where w.deleted_at is null and w.disabled_at is null and not exists (
      select 1 from unsettled_webhooks u where u.company_id = w.company_id and u.webhook_id = w.id)`.execute(
    db,
  );
  return rows;
}

/** Claims deliveries for a worker. @throws UniqueViolation if a delivery about the same entity is claimed already */
export const leaseDeliveries = (
  db: Database,
  keys: readonly DeliveryKey[],
  { worker, until }: { worker: string; until: number },
): Promise<void> => changeLeases(db, keys, { from: null, worker, until });

/** @param from the holder of the leases so far, null for none */
async function changeLeases(
  db: Database,
  keys: readonly DeliveryKey[],
  { from, worker, until }: { from: string | null; worker: string; until: number },
): Promise<void> {
  await sql`update deliveries set leased_by = ${worker}, leased_until = ${until} from ${listed(db, inOrder(keys))}
    where ${isListed(sql`deliveries`)} and deliveries.leased_by is not distinct from ${from}
      and deliveries.state <> ${deliveryStates.canceled}`.execute(db);
}

const keyColumns = { companyId: 'bigint', webhookId: 'bigint', sequence: 'bigint' } as const;

const listed = (db: Database, keys: readonly DeliveryKey[]) =>
  engineOf(db).rowsIn(sql`${JSON.stringify(keys)}`, keyColumns);

/** The condition that a row of deliveries has a key of the table `v`. */
const isListed = (deliveries: RawBuilder<unknown>) => sql`${deliveries}.company_id = v."companyId"
  and ${deliveries}.webhook_id = v."webhookId" and ${deliveries}.sequence = v.sequence`;

/**
 * Finds the deliveries that a worker may still send: it holds their leases, they were not revoked, and their webhooks are
 * enabled.
 */
export const findClaimed = (
  db: Database,
  worker: string,
  keys: readonly DeliveryKey[],
): Promise<ClaimedWebhook[]> => claimedDeliveries(db, { worker, keys: JSON.stringify(inOrder(keys)) });

// One statement for all keys, because each statement of SQLite takes a lock on the database file.
const claimedDeliveries = preparedStatement((db, { worker, keys }: { worker: string; keys: string }) => {
  const { rowsIn, joinInOrder } = engineOf(db);
  const statement = sql<ClaimedWebhook>`select d.sequence, w.id, w.updated_at, w.url, w.verb_id, w.entity_id,
        w.action_id, w.secret
      from ${rowsIn(sql`${keys}`, keyColumns)} ${joinInOrder} deliveries d on ${isListed(sql`d`)}
      ${joinInOrder} webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
      where d.leased_by = ${worker} and d.state = 'waiting' and w.deleted_at is null and w.disabled_at is null`;
  return { compile: () => statement.compile(db) };
});

/** Lists the claims of a worker that were revoked: their deliveries were erased or canceled. */
export const listRevoked = (db: Database, worker: string): Promise<{ webhook_id: number }[]> =>
  selectRows(db, 'deliveries', ['webhook_id'], { leased_by: worker, state: deliveryStates.canceled });

/**
 * Renews the leases that a worker still holds, except those of canceled deliveries: an erasure waits until they end, also if
 * the worker is killed.
 */
export async function renewLeases(
  db: Database,
  keys: readonly DeliveryKey[],
  { worker, until }: { worker: string; until: number },
): Promise<void> {
  if (keys.length > 0) await changeLeases(db, keys, { from: worker, worker, until });
}

// Locking rows in one global order prevents deadlocks.
const byKey = (one: DeliveryKey, other: DeliveryKey): number =>
  one.companyId - other.companyId || one.webhookId - other.webhookId || one.sequence - other.sequence;

const inOrder = (keys: readonly DeliveryKey[]): DeliveryKey[] =>
  keys.map(({ companyId, webhookId, sequence }) => ({ companyId, webhookId, sequence })).sort(byKey);

/** Releases deliveries whose lease has expired. */
export async function expireLeases(db: Database, now: number): Promise<void> {
  const expired = { leased_by: is.notNull, leased_until: is.atMost(now) };
  await updateRows(db, 'deliveries', expired, released);
}

const released = { leased_by: null, leased_until: null };

// Leases that end up to this much later than expected are not repaired, because the clock of this machine may be the
// wrong one.
const maxClockSkewMs = 300_000;

/**
 * Repairs due times and leases that were set while a clock was ahead. Deliveries without an attempt become due now if they
 * would wait for more than `unsignedWaitMs`, and retries within `maxDelayMs`. Leases that end later than the allowed clock
 * skew explains are shortened to `leaseMs`. With correct clocks, nothing changes. All times are in milliseconds.
 */
export async function repairFutureDates(
  db: Database,
  { now, leaseMs, maxDelayMs }: { now: number; leaseMs: number; maxDelayMs: number },
): Promise<void> {
  const latest = now + maxDelayMs;
  // Two statements, because each condition on `leased_by` has its own index.
  for (const isLeased of ['is', 'is not'] as const) {
    const waiting = () =>
      db.updateTable('deliveries').where('state', '=', sql.lit('waiting')).where('leased_by', isLeased, null);
    await waiting()
      .set({ due_at: now })
      .where('attempts', '=', 0)
      .where('due_at', '>', now + unsignedWaitMs)
      .execute();
    await waiting().set({ due_at: latest }).where('due_at', '>', latest).execute();
  }
  const tooLong = { leased_by: is.notNull, leased_until: is.moreThan(now + leaseMs + maxClockSkewMs) };
  await updateRows(db, 'deliveries', tooLong, { leased_until: now + leaseMs });
}

/** Releases the leases of a worker that has stopped, or of all workers while none runs. */
export async function releaseLeases(db: Database, worker?: string): Promise<void> {
  await updateRows(db, 'deliveries', { leased_by: worker ?? is.notNull }, released);
}

/**
 * Stores the outcomes of attempts. Deliveries that the worker no longer owns are skipped. Those that were erased or
 * canceled stay as they are, but their leases end: their requests are no longer in flight.
 * @returns the keys of stored deliveries (see `formatDeliveryKey`)
 */
export async function recordOutcomes(
  db: Database,
  worker: string,
  updates: readonly DeliveryUpdate[],
): Promise<string[]> {
  if (updates.length === 0) return [];
  const inKeyOrder = updates
    .map((update) => ({ ...update, state: deliveryStates[update.state] }))
    .sort(byKey);
  const columns = { ...keyColumns, state: 'text', dueAt: 'bigint', attempts: 'bigint', log: 'text' } as const;
  const { rows } = await sql<{ webhookId: number; sequence: number }>`update deliveries
    set state = v.state, due_at = v."dueAt", leased_by = null, leased_until = null, attempts = v.attempts, log = v.log
    from ${engineOf(db).rowsIn(sql`${JSON.stringify(inKeyOrder)}`, columns)}
    where ${isListed(sql`deliveries`)} and deliveries.leased_by = ${worker} and deliveries.state = 'waiting'
    returning deliveries.webhook_id as "webhookId", deliveries.sequence`.execute(db);
  const stored = rows.map(formatDeliveryKey);
  if (stored.length === updates.length) return stored;
  const isStored = new Set(stored);
  const others = inKeyOrder.filter((key) => !isStored.has(formatDeliveryKey(key)));
  for (const { companyId: company_id, webhookId: webhook_id, sequence } of others) {
    const canceled = { company_id, webhook_id, sequence, state: deliveryStates.canceled };
    await updateRows(db, 'deliveries', { ...canceled, leased_by: worker }, released);
  }
  return stored;
}

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
