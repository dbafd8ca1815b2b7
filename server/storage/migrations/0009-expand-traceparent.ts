import type { SchemaMigration } from '../engine.ts';

/** The trace of the request that caused a delivery's event. */
export const traceparent: SchemaMigration = async (db) => {
  await db.schema.alterTable('deliveries').addColumn('traceparent', 'text').execute();
};
