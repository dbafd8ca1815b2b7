import type { SchemaMigration } from '../engine.ts';

/** The webhooks whose deliveries do not follow their last change yet (D47, D49). */
export const unsettledWebhooks: SchemaMigration = async (db, { integer }) => {
  await db.schema
    .createTable('unsettled_webhooks')
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('webhook_id', integer, (column) => column.notNull())
    .addColumn('change', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('unsettled_webhooks_key', ['company_id', 'webhook_id'])
    .execute();
};
