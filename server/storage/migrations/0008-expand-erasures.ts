import type { SchemaMigration } from '../engine.ts';

/** The IDs of what operators have erased, so that the erasures can be repeated after a restore. */
export const erasures: SchemaMigration = async (db, { integer }) => {
  await db.schema
    .createTable('erasures')
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('entity_id', integer, (column) => column.notNull())
    .addColumn('entity_created_at', integer, (column) => column.notNull())
    .addColumn('erased_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('erasures_key', ['company_id', 'kind', 'entity_id', 'entity_created_at'])
    .execute();
};
