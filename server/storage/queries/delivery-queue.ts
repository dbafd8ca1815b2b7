import { sql } from 'kysely';
import { engineOf } from '../engine.ts';
import type { DeliveryKey, DeliveryUpdate, DueDelivery, Shares, WebhookKey } from '../queue-types.ts';
import type { Database } from '../store.ts';
import type { WebhookRow } from './webhooks.ts';

/*
 * The queue, as workers see it. Beside the look-up of tokens this is all that crosses companies.
 */

/** Whether anything is due, or was left by a worker that is gone. */
export async function hasDueDeliveries(db: Database, now: number): Promise<boolean> {
  const { rows } = await sql<{ due: number }>`select 1 as due
    where exists (select 1 from deliveries where state = 'waiting' and leased_by is null and due_at <= ${now})
      or exists (select 1 from deliveries where leased_by is not null and leased_until <= ${now})`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * The webhooks that have something waiting, behind another one: one look into an index for each, however much
 * waits for it.
 * @returns at most `limit` of them, each with the moment of what is due first
 */
export async function listWaiting(
  db: Database,
  after: WebhookKey,
  limit: number,
): Promise<(WebhookKey & { dueAt: number })[]> {
  // Compared as a pair, SQLite would walk through all that waits for the company.
  const next = (column: 'company_id' | 'webhook_id' | 'due_at') => sql`coalesce(
    (select d.${sql.ref(column)} from deliveries d
      where d.state = 'waiting' and d.leased_by is null and d.company_id = r.company_id and d.webhook_id > r.webhook_id
      order by d.webhook_id, d.due_at limit 1),
    (select d.${sql.ref(column)} from deliveries d
      where d.state = 'waiting' and d.leased_by is null and d.company_id > r.company_id
      order by d.company_id, d.webhook_id, d.due_at limit 1))`;
  const { rows } = await sql<{ company_id: number; webhook_id: number; due_at: number }>`
    with recursive r (company_id, webhook_id, due_at, place) as (
      select cast(${after.companyId} as bigint), cast(${after.webhookId} as bigint),
        cast(0 as bigint), 0
      union all
      select ${next('company_id')}, ${next('webhook_id')}, ${next('due_at')}, place + 1
      from r where company_id is not null and place < ${sql.lit(limit)}
    )
    select company_id, webhook_id, due_at from r where place > 0 and company_id is not null order by place`.execute(
    db,
  );
  return rows.map((row) => ({ companyId: row.company_id, webhookId: row.webhook_id, dueAt: row.due_at }));
}

/** The webhooks of these keys that are there and enabled. */
export function listEnabled(db: Database, keys: readonly WebhookKey[]): Promise<WebhookRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return (
    db
      .selectFrom('webhooks')
      .selectAll()
      // Ids are the webhook's own in all companies; the company leads to where its rows are.
      .where('company_id', 'in', [...new Set(keys.map(({ companyId }) => companyId))])
      .where(
        'id',
        'in',
        keys.map(({ webhookId }) => webhookId),
      )
      .where('deleted_at', 'is', null)
      .where('disabled_at', 'is', null)
      .execute()
  );
}

/**
 * What is due for each of some webhooks, at most so many for each, and none behind an older one about the same
 * entity or beside one that is on its way (D46). Nobody else gets these until the end of the transaction.
 */
export const findDue = (db: Database, shares: Shares, now: number): Promise<DueDelivery[]> =>
  engineOf(db).findDue(db, shares, now);

/** Takes deliveries for a worker. @throws UniqueViolation where another worker has one about the same entity */
export const leaseDeliveries = (
  db: Database,
  keys: readonly DeliveryKey[],
  { worker, until }: { worker: string; until: number },
): Promise<void> => engineOf(db).leaseDeliveries(db, inOrder(keys), { from: null, worker, until });

/** Keeps what a worker has in hand, and has not lost meanwhile. */
export async function renewLeases(
  db: Database,
  keys: readonly DeliveryKey[],
  { worker, until }: { worker: string; until: number },
): Promise<void> {
  if (keys.length > 0) await engineOf(db).leaseDeliveries(db, inOrder(keys), { from: worker, worker, until });
}

// Whoever takes rows in one order waits for nobody who waits for him.
const byKey = (one: DeliveryKey, other: DeliveryKey): number =>
  one.companyId - other.companyId || one.webhookId - other.webhookId || one.sequence - other.sequence;

const inOrder = (keys: readonly DeliveryKey[]): DeliveryKey[] =>
  keys.map(({ companyId, webhookId, sequence }) => ({ companyId, webhookId, sequence })).sort(byKey);

/** What a worker has not come back with in time is anybody's again. */
export async function expireLeases(db: Database, now: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leased_by: null, leased_until: null })
    .where('leased_by', 'is not', null)
    .where('leased_until', '<=', now)
    .execute();
}

// Our own clock may be the one that is wrong: what others have in hand is not taken from them for some minutes.
const maxDifferentMs = 300_000;

/**
 * Undoes what a clock has done that was ahead: what was never tried is due, nothing is put off for longer than it can be,
 * and no lease is longer than leases are by more than clocks of several machines may differ. It changes nothing where the
 * clocks are right, and can be done by anybody.
 * @param now and the others in milliseconds
 */
export async function repairFutureDates(
  db: Database,
  { now, leaseMs, maxDelayMs }: { now: number; leaseMs: number; maxDelayMs: number },
): Promise<void> {
  const latest = now + maxDelayMs;
  // Each of the two has an index.
  for (const held of ['is', 'is not'] as const) {
    const waiting = () =>
      db.updateTable('deliveries').where('state', '=', sql.lit('waiting')).where('leased_by', held, null);
    await waiting().set({ due_at: now }).where('attempts', '=', 0).where('due_at', '>', now).execute();
    await waiting().set({ due_at: latest }).where('due_at', '>', latest).execute();
  }
  await db
    .updateTable('deliveries')
    .set({ leased_until: now + leaseMs })
    .where('leased_by', 'is not', null)
    .where('leased_until', '>', now + leaseMs + maxDifferentMs)
    .execute();
}

/** Gives back what a worker has: it will send no more. */
export async function releaseLeases(db: Database, worker: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ leased_by: null, leased_until: null })
    .where('leased_by', '=', worker)
    .execute();
}

/**
 * Writes down how attempts ended; what is not the worker's any more is left as it is.
 * @returns the names of those that were written down (see `formatDeliveryKey`)
 */
export const recordOutcomes = async (
  db: Database,
  worker: string,
  settlements: readonly DeliveryUpdate[],
): Promise<string[]> =>
  settlements.length > 0 ? engineOf(db).recordOutcomes(db, worker, settlements.toSorted(byKey)) : [];

/** What waits, is held and was given up, and since when something is due. */
export async function queueStats(
  db: Database,
  now: number,
): Promise<{ waiting: number; exhausted: number; oldestDueAt: number | null }> {
  const count = async (state: 'waiting' | 'exhausted') => {
    const row = await db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', sql.lit(state))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const oldest = await db
    .selectFrom('deliveries')
    .select('due_at')
    .where('state', '=', sql.lit('waiting'))
    .where('leased_by', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return {
    waiting: await count('waiting'),
    exhausted: await count('exhausted'),
    oldestDueAt: oldest?.due_at ?? null,
  };
}
