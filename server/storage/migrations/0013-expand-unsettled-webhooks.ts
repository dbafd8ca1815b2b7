import type { SchemaMigration } from '../engine.ts';
import { addColumns } from './add-columns.ts';

/** The webhooks whose deliveries do not follow their last change yet (D47, D49). */
export const unsettledWebhooks: SchemaMigration = async (db, engine) => {
  const table = db.schema.createTable('unsettled_webhooks');
  await addColumns(table, 'company_id integer, webhook_id integer, change integer', engine)
    .addPrimaryKeyConstraint('unsettled_webhooks_key', ['company_id', 'webhook_id'])
    .execute();
};
