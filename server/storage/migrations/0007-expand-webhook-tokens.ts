import type { SchemaMigration } from '../engine.ts';

/** Which token created a webhook, and which one changed it last. Unknown for webhooks from before this step. */
export const webhookTokens: SchemaMigration = async (db, { integer }) => {
  for (const name of ['created_by_token', 'updated_by_token'])
    await db.schema.alterTable('webhooks').addColumn(name, integer).execute();
};
