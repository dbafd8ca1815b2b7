import { randomInt } from 'node:crypto';
import type { Database } from '../store.ts';
import type { WebhookRow } from './webhooks.ts';

/* The webhooks whose deliveries do not follow their last change yet; see server/delivery/settle-deliveries.ts. */

/** A webhook, deleted or not, and a random number for its last change. */
export type UnsettledWebhook = Pick<
  WebhookRow,
  'company_id' | 'id' | 'entity_id' | 'action_id' | 'disabled_at' | 'deleted_at'
> & { change: number };

/** Makes the deliveries of a webhook follow its state, from the first one. Call it in the transaction of each change. */
export async function unsettle(db: Database, companyId: number, webhookId: number): Promise<void> {
  await insertion(db, companyId, webhookId)
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'webhook_id'])
        .doUpdateSet((eb) => ({ change: eb.ref('excluded.change') })),
    )
    .execute();
}

/** Makes the deliveries of a webhook follow its state, unless they are about to do so already. */
export async function unsettleAgain(db: Database, companyId: number, webhookId: number): Promise<void> {
  await insertion(db, companyId, webhookId)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const insertion = (db: Database, companyId: number, webhookId: number) =>
  db
    .insertInto('unsettled_webhooks')
    .values({ company_id: companyId, webhook_id: webhookId, change: randomInt(2 ** 47) });

const unsettledWebhooks = (db: Database) =>
  db
    .selectFrom('unsettled_webhooks as u')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.company_id', '=', 'u.company_id').onRef('w.id', '=', 'u.webhook_id'),
    )
    .select([
      'w.company_id',
      'w.id',
      'w.entity_id',
      'w.action_id',
      'w.disabled_at',
      'w.deleted_at',
      'u.change',
    ]);

/** Lists unsettled webhooks of all companies, because workers serve all of them. */
export const listUnsettled = (db: Database): Promise<UnsettledWebhook[]> =>
  unsettledWebhooks(db).orderBy('u.webhook_id').limit(100).execute();

/** Reads an unsettled webhook, and locks its row until the end of the transaction. */
export async function lockUnsettled(
  db: Database,
  companyId: number,
  webhookId: number,
): Promise<UnsettledWebhook | undefined> {
  await db
    .selectFrom('webhooks')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .execute();
  return unsettledWebhooks(db)
    .where('w.company_id', '=', companyId)
    .where('u.company_id', '=', companyId)
    .where('w.id', '=', webhookId)
    .executeTakeFirst();
}
