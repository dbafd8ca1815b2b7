import { type RawBuilder, sql } from 'kysely';
import { deliveryStates, stateAfter } from '../delivery-states.ts';
import { engineOf } from '../engine.ts';
import type { DeliveryKey } from '../queue-types.ts';
import { type ErasableTable, erasureOf } from '../schema.ts';
import type { Database } from '../store.ts';
import { is, selectRows } from './rows.ts';

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

/** Erases the events about entities, sent or not. */
export const eraseDeliveries = (
  db: Database,
  companyId: number,
  table: ErasableTable,
  ids: readonly number[],
): Promise<ErasedDeliveries> =>
  eraseWhere(
    db,
    companyId,
    sql`type like ${`${erasureOf(table).entity}.%`} and data_id in (${sql.join(ids)})`,
  );

/** Erases the contents of all claimed deliveries of a company. */
export const eraseClaimedDeliveries = async (db: Database, companyId: number): Promise<DeliveryKey[]> =>
  (await eraseWhere(db, companyId, sql`leased_by is not null`)).claimed;

async function eraseWhere(
  db: Database,
  companyId: number,
  condition: RawBuilder<unknown>,
): Promise<ErasedDeliveries> {
  // Locks the rows, so that no worker claims or releases one between the statements.
  const { rows } = await sql<{
    webhook_id: number;
    sequence: number;
    leased_by: string | null;
  }>`update deliveries
    set state = ${stateAfter('erase')}, due_at = null, log = '[]', traceparent = null
    where company_id = ${companyId} and ${condition} returning webhook_id, sequence, leased_by`.execute(db);
  if (rows.length === 0) return { count: 0, claimed: [] };
  await sql`delete from delivery_payloads where company_id = ${companyId} and (webhook_id, sequence) in (
    select webhook_id, sequence from deliveries where company_id = ${companyId} and ${condition})`.execute(
    db,
  );
  await sql`delete from deliveries where company_id = ${companyId} and leased_by is null and ${condition}`.execute(
    db,
  );
  const claimed = rows.filter(({ leased_by }) => leased_by !== null);
  return {
    count: rows.length,
    claimed: claimed.map(({ webhook_id: webhookId, sequence }) => ({ companyId, webhookId, sequence })),
  };
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
  const columns = { webhookId: 'bigint', sequence: 'bigint' } as const;
  await sql`delete from deliveries where company_id = ${companyId} and (webhook_id, sequence) in (
    select v."webhookId", v.sequence from ${engineOf(db).rowsIn(sql`${JSON.stringify(keys)}`, columns)})`.execute(
    db,
  );
}
