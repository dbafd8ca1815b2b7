import type { SchemaMigration } from '../engine.ts';

/** The tokens that created and last changed a webhook. Unknown for webhooks from before this migration. */
export const webhookTokens: SchemaMigration = async (db, { integer }) => {
  for (const name of ['created_by_token', 'updated_by_token'])
    await db.schema.alterTable('webhooks').addColumn(name, integer).execute();
};
