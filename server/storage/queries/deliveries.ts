import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import {
  type DeliveryChange,
  type DeliveryState,
  deliveryStates,
  stateAfter,
  stateNameOf,
  statesBefore,
} from '../delivery-states.ts';
import type { Database } from '../store.ts';
import type { DeliveryTable } from '../tables/deliveries.ts';
import { deleteRows } from './rows.ts';

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
}

/** The effect of a change of a webhook on its deliveries. */
export type WebhookEffect = Extract<DeliveryChange, 'pause' | 'resume' | 'expire' | 'cancel'>;

/**
 * Changes the state of deliveries. Those that are resumed are due now and have their attempts again. Those in flight
 * are left to their worker, unless they are canceled: it then keeps the lease until its request has ended, so that an
 * erasure can wait for it.
 */
export async function changeState(
  db: Database,
  { company_id: companyId, id }: { company_id: number; id: number },
  { sequences, change, now }: { sequences: readonly number[]; change: WebhookEffect; now: number },
): Promise<void> {
  const state = stateAfter(change);
  const changed = change === 'resume' ? { state, due_at: now, attempts: 0 } : { state, due_at: null };
  const query = ofWebhook(db, companyId, id)
    .set(changed)
    .where('sequence', 'in', sequences)
    // As an expression, so that the planner does not take an index of all waiting deliveries of the webhook.
    .where(sql<SqlBool>`state || '' in (${sql.join(statesBefore(change))})`);
  await (change === 'cancel' ? query : query.where(sql<SqlBool>`coalesce(leased_by, '') = ''`)).execute();
}

const ofWebhook = (db: Database, companyId: number, webhookId: number) =>
  db.updateTable('deliveries').where('company_id', '=', companyId).where('webhook_id', '=', webhookId);

/** A selection of a webhook's deliveries. */
export interface DeliverySelection {
  companyId: number;
  webhookId: number;
  sequence?: number | undefined;
  states?: readonly DeliveryState[] | undefined;
  /** Creation time in milliseconds since 1970: at or after `from`, and before `to`. */
  from?: number | undefined;
  to?: number | undefined;
}

/** A page of deliveries, in ascending order of sequence, or in descending order with `newest`. */
interface DeliveryPage {
  after?: number;
  limit?: number;
  newest?: boolean;
}

/** Lists a page of deliveries. */
export const listDeliveries = (
  db: Database,
  selection: DeliverySelection,
  page: DeliveryPage = {},
): Promise<DeliveryRow[]> => pageOf(db, selection, page).selectAll().execute();

/** Lists a page of deliveries without their attempts, which take most of their space. */
export const listDeliveryStates = (
  db: Database,
  selection: DeliverySelection,
  page: DeliveryPage,
): Promise<Pick<DeliveryRow, 'sequence' | 'state' | 'type' | 'created_at'>[]> =>
  pageOf(db, selection, page).select(['sequence', 'state', 'type', 'created_at']).execute();

function pageOf(
  db: Database,
  selection: DeliverySelection,
  { after = 0, limit, newest = false }: DeliveryPage,
) {
  const { companyId, webhookId, sequence, states, from, to } = selection;
  let query = db
    .selectFrom('deliveries')
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .where('sequence', '>', after)
    .orderBy('sequence', newest ? 'desc' : 'asc');
  if (sequence !== undefined) query = query.where('sequence', '=', sequence);
  const stored = states?.map((name) => deliveryStates[name]);
  if (stored) query = query.where('state', 'in', stored);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return limit === undefined ? query : query.limit(limit);
}

/**
 * Makes deliveries due again, except those that a worker is sending, those of other event types, and those that were
 * erased: the row of an erased delivery stays without a payload until the erasure ends, or if it was interrupted.
 * @param type the event type that the webhook subscribes to
 * @returns the number of deliveries that will be sent again
 */
export async function replayDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
  { sequences, type, now }: { sequences: readonly number[]; type: string; now: number },
): Promise<number> {
  const { numUpdatedRows } = await ofWebhook(db, companyId, webhookId)
    .set({ state: stateAfter('replay'), due_at: now, attempts: 0, replayed: 1 })
    .where('sequence', 'in', sequences)
    .where('state', 'in', statesBefore('replay'))
    .where('type', '=', type)
    .where('leased_by', 'is', null)
    .where(sql<SqlBool>`exists (select 1 from delivery_payloads p where p.company_id = deliveries.company_id
      and p.webhook_id = deliveries.webhook_id and p.sequence = deliveries.sequence)`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes delivered or canceled deliveries; skips any that a replay has made waiting. @returns the number deleted */
export async function purgeDeliveries(
  db: Database,
  companyId: number,
  webhookId: number,
  sequences: readonly number[],
): Promise<number> {
  return deleteRows(db, 'deliveries', {
    company_id: companyId,
    webhook_id: webhookId,
    sequence: sequences,
    state: [deliveryStates.delivered, deliveryStates.canceled],
  });
}

/** Counts the deliveries of a webhook by state. */
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
  return Object.fromEntries(rows.map(({ state, count }) => [stateNameOf(state), Number(count)]));
}
