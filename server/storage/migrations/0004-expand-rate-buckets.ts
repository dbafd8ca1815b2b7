import type { SchemaMigration } from '../engine.ts';

/**
 * The rate-limit buckets that all processes shared. Versions that know migration 0013 do not use this table. It stays for
 * older versions, which run during an upgrade or again after it, until a migration `…-contract-0013-…` drops it.
 */
export const rateBuckets: SchemaMigration = async (db, { integer, unlogged }) => {
  await unlogged(db.schema.createTable('rate_buckets'))
    .addColumn('limit_name', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('level', integer, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('spent', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_buckets_key', ['limit_name', 'key'])
    .execute();
};
