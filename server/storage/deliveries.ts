import type { Insertable, Selectable } from 'kysely';
import type { DeliveryTable } from './schema.ts';
import type { Database } from './store.ts';

export type DeliveryRow = Selectable<DeliveryTable>;

export async function insertDeliveries(
  db: Database,
  deliveries: readonly Insertable<DeliveryTable>[],
): Promise<void> {
  await db.insertInto('deliveries').values(deliveries).execute();
}

/** What a webhook has still to send is not sent any more (D49). */
export async function endDeliveries(db: Database, companyId: number, webhookId: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'ended' })
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute();
}

/** The deliveries of a webhook, by their sequence. */
export function listDeliveries(db: Database, companyId: number, webhookId: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('webhook_id', '=', webhookId)
    .orderBy('sequence')
    .execute();
}
