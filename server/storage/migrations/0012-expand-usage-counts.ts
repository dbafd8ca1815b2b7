import type { SchemaMigration } from '../engine.ts';

/**
 * Requests and webhook requests per company and day. Versions that know migration 0013 do not use this table. It stays for
 * older versions, which run during an upgrade or again after it, until a migration `…-contract-0013-…` drops it.
 */
export const usageCounts: SchemaMigration = async (db, { integer }) => {
  await db.schema
    .createTable('usage_counts')
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('day', integer, (column) => column.notNull())
    .addColumn('requests', integer, (column) => column.notNull())
    .addColumn('webhook_requests', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_counts_key', ['company_id', 'day'])
    .execute();
};
