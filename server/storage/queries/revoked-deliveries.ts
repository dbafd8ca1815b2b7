import { deliveryStates, stateAfter } from '../delivery-states.ts';
import type { DeliveryKey } from '../queue-types.ts';
import { type ErasableTable, erasureOf } from '../schema.ts';
import type { Database } from '../store.ts';
import { deleteRows, is, selectRows, updateRows } from './rows.ts';

/*
 * Erasure of deliveries that workers may be sending. The row of a claimed delivery stays, without contents, until the
 * worker ends the lease: the worker no longer sends it, and an erasure can see that its request may be in flight.
 */

/** Erased deliveries. */
export interface ErasedDeliveries {
  /** Their number, claimed ones included. */
  count: number;
  /** Those whose rows stay, because a worker holds a lease. */
  claimed: DeliveryKey[];
}

const revoked = { state: stateAfter('erase'), due_at: null, log: '[]', traceparent: null };

/** Erases the events about entities, sent or not. */
export async function eraseDeliveries(
  db: Database,
  companyId: number,
  table: ErasableTable,
  ids: readonly number[],
): Promise<ErasedDeliveries> {
  const types = `${erasureOf(table).entity}.%`;
  // Locks the rows, so that no worker claims or releases one between the statements.
  const rows = await db
    .selectFrom('deliveries')
    .select(['webhook_id', 'sequence', 'leased_by'])
    .where('company_id', '=', companyId)
    .where('type', 'like', types)
    .where('data_id', 'in', ids)
    .forUpdate()
    .execute();
  if (rows.length === 0) return { count: 0, claimed: [] };
  await db
    .deleteFrom('deliveries')
    .where('company_id', '=', companyId)
    .where('type', 'like', types)
    .where('data_id', 'in', ids)
    .where('leased_by', 'is', null)
    .execute();
  const claimed = rows.filter(({ leased_by }) => leased_by !== null);
  return { count: rows.length, claimed: await revokeClaims(db, companyId, claimed) };
}

/** Erases the contents of all claimed deliveries of a company. */
export async function eraseClaimedDeliveries(db: Database, companyId: number): Promise<DeliveryKey[]> {
  const claimed = await db
    .selectFrom('deliveries')
    .select(['webhook_id', 'sequence'])
    .where('company_id', '=', companyId)
    .where('leased_by', 'is not', null)
    .forUpdate()
    .execute();
  return revokeClaims(db, companyId, claimed);
}

async function revokeClaims(
  db: Database,
  companyId: number,
  rows: readonly { webhook_id: number; sequence: number }[],
): Promise<DeliveryKey[]> {
  for (const selection of selectionsOf(companyId, rows)) {
    await deleteRows(db, 'delivery_payloads', selection);
    await updateRows(db, 'deliveries', selection, revoked);
  }
  return rows.map(({ webhook_id: webhookId, sequence }) => ({ companyId, webhookId, sequence }));
}

/** Lists the leases on erased and canceled deliveries of a company. Their requests may be in flight. */
export const listRevokedLeases = (db: Database, companyId: number) =>
  selectRows(db, 'deliveries', ['webhook_id', 'sequence', 'leased_by', 'leased_until'], {
    company_id: companyId,
    leased_by: is.notNull,
    state: deliveryStates.canceled,
  });

/** Deletes the rows of erased deliveries. */
export async function deleteErasedDeliveries(
  db: Database,
  companyId: number,
  keys: readonly DeliveryKey[],
): Promise<void> {
  const rows = keys.map(({ webhookId, sequence }) => ({ webhook_id: webhookId, sequence }));
  for (const selection of selectionsOf(companyId, rows)) await deleteRows(db, 'deliveries', selection);
}

/** Returns a selection for the deliveries of each webhook. */
const selectionsOf = (companyId: number, rows: readonly { webhook_id: number; sequence: number }[]) =>
  [...Map.groupBy(rows, ({ webhook_id }) => webhook_id)].map(([webhook_id, group]) => ({
    company_id: companyId,
    webhook_id,
    sequence: group.map(({ sequence }) => sequence),
  }));
