import { type Insertable, type Selectable, sql } from 'kysely';
import { markDeliveries } from '../delivery-notifier.ts';
import type { DeliveryState, DeliveryTable } from '../schema.ts';
import type { Database } from '../store.ts';

export type DeliveryRow = Selectable<DeliveryTable>;

export async function insertDeliveries(
  db: Database,
  deliveries: readonly (Insertable<DeliveryTable> & { payload: string })[],
): Promise<void> {
  const rows = deliveries.map(({ payload: _apart, ...row }) => row);
  const payloads = deliveries.map(({ company_id, webhook_id, sequence, payload }) => ({
    company_id,
    webhook_id,
    sequence,
    payload,
  }));
  await db.insertInto('deliveries').values(rows).execute();
  await db.insertInto('delivery_payloads').values(payloads).execute();
  markDeliveries(db);
}

/**
 * Cancels all deliveries of a webhook that were not sent (D49).
 * @param keptType an event type whose deliveries are not canceled
 */
export async function cancelDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
  keptType?: string,
): Promise<void> {
  const pending = ofWebhook(db, companyId, webhookId)
    .set({ state: 'ended', due_at: null, leased_by: null, leased_until: null })
    .where('state', 'in', ['waiting', 'held', 'exhausted']);
  await (keptType === undefined ? pending : pending.where('type', '!=', keptType)).execute();
}

/** What waits is kept until the webhook is enabled again; what is on its way is left to its worker. */
export async function pauseDeliveries(db: Database, companyId: number, webhookId: number): Promise<void> {
  await ofWebhook(db, companyId, webhookId)
    .set({ state: 'held', due_at: null })
    .where('state', '=', sql.lit('waiting'))
    .where('leased_by', 'is', null)
    .execute();
}

/** What was held is due, with all its attempts before it; what is older than `since` is given up (D47). */
export async function resumeDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
  { now, since }: { now: number; since: number },
): Promise<void> {
  const held = () => ofWebhook(db, companyId, webhookId).where('state', '=', 'held');
  await held().set({ state: 'exhausted' }).where('created_at', '<', since).execute();
  await held().set({ state: 'waiting', due_at: now, attempts: 0 }).execute();
  markDeliveries(db);
}

const ofWebhook = (db: Database, companyId: number, webhookId: number) =>
  db.updateTable('deliveries').where('company_id', '=', companyId).where('webhook_id', '=', webhookId);

/** Which deliveries of a webhook are meant. */
export interface DeliverySelection {
  companyId: number;
  webhookId: number;
  states?: readonly DeliveryState[] | undefined;
  /** Only those that were given up, or whose last attempt failed. */
  failed?: boolean | undefined;
  /** When they happened: from, inclusive, and to, exclusive, in milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
}

/** A page of deliveries by their sequence, upwards or, `newest`, downwards. */
export function listDeliveries(
  db: Database,
  selection: DeliverySelection,
  { after = 0, limit, newest = false }: { after?: number; limit?: number; newest?: boolean } = {},
): Promise<DeliveryRow[]> {
  const { companyId, webhookId, states, failed, from, to } = selection;
  let query = db
    .selectFrom('deliveries')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .where('sequence', '>', after)
    .orderBy('sequence', newest ? 'desc' : 'asc');
  if (states) query = query.where('state', 'in', states);
  if (failed)
    query = query.where((eb) =>
      eb.or([eb('state', '=', 'exhausted'), eb.and([eb('state', '=', 'waiting'), eb('attempts', '>', 0)])]),
    );
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  if (limit !== undefined) query = query.limit(limit);
  return query.execute();
}

export function findDelivery(
  db: Database,
  companyId: number,
  webhookId: number,
  sequence: number,
): Promise<(DeliveryRow & { payload: string }) | undefined> {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('delivery_payloads as p', (join) =>
      join
        .onRef('p.company_id', '=', 'd.company_id')
        .onRef('p.webhook_id', '=', 'd.webhook_id')
        .onRef('p.sequence', '=', 'd.sequence'),
    )
    .selectAll('d')
    .select('p.payload')
    .where('d.company_id', '=', companyId)
    .where('d.webhook_id', '=', webhookId)
    .where('d.sequence', '=', sequence)
    .executeTakeFirst();
}

/**
 * Sends deliveries again, except those that a worker is sending and those of an event type that the webhook no longer
 * subscribes to.
 * @returns the number of deliveries that are sent again
 */
export async function replayDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
  { sequences, type, now }: { sequences: readonly number[]; type: string; now: number },
): Promise<number> {
  const { numUpdatedRows } = await ofWebhook(db, companyId, webhookId)
    .set({ state: 'waiting', due_at: now, attempts: 0, replayed: 1 })
    .where('sequence', 'in', sequences)
    .where('type', '=', type)
    .where('leased_by', 'is', null)
    .executeTakeFirst();
  markDeliveries(db);
  return Number(numUpdatedRows);
}

/** Forgets deliveries for good, unless they are to be sent again meanwhile. @returns how many */
export async function purgeDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
  sequences: readonly number[],
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .where('sequence', 'in', sequences)
    .where('state', 'in', ['delivered', 'ended'])
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** What happened first, by the sequence. */
export function listOldest(
  db: Database,
  companyId: number,
  webhookId: number,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<DeliveryRow, 'sequence' | 'state' | 'created_at'>[]> {
  return db
    .selectFrom('deliveries')
    .select(['sequence', 'state', 'created_at'])
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}

/** How many deliveries of a webhook are in each state. */
export async function countDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
): Promise<Partial<Record<DeliveryState, number>>> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .groupBy('state')
    .orderBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}
