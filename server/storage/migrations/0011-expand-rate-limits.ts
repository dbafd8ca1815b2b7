import type { SchemaMigration } from '../engine.ts';

/** Rate limits of companies and tokens that replace the common one. */
export const rateLimits: SchemaMigration = async (db, { integer }) => {
  for (const table of ['companies', 'tokens'])
    await db.schema.alterTable(table).addColumn('rate_per_minute', integer).execute();
};
