import type { SchemaMigration } from '../engine.ts';

/** Records of commands and of changes through the API. The database rejects updates, and deletions of recent ones. */
export const auditRecords: SchemaMigration = async (db, { identity, integer, keepRows }) => {
  await db.schema
    .createTable('audit_records')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('operator', 'text')
    .addColumn('token_id', integer)
    .addColumn('user_id', integer)
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('entity_id', integer)
    .addColumn('request_id', 'text')
    .addColumn('options', 'text')
    .addUniqueConstraint('audit_records_key', ['company_id', 'id'])
    .execute();
  await db.schema.createIndex('audit_records_by_age').on('audit_records').column('created_at').execute();
  await keepRows(db, 'audit_records', 30);
};
