import { sql } from 'kysely';
import type { SchemaMigration } from '../engine.ts';

/**
 * Companies, tokens, custom fields, contacts and their values, and idempotency keys. The key of each table begins with
 * the company ID, and foreign keys include it, so that no row can refer to a row of another company.
 */
export const firstSchema: SchemaMigration = async (db, { identity, integer, bytes }) => {
  const { schema } = db;
  await schema
    .createTable('companies')
    // The only table whose key is the ID alone.
    .addColumn('id', integer, (column) => identity(column).primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();

  await schema
    .createTable('tokens')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('digest', bytes, (column) => column.notNull().unique())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('revoked_at', integer)
    .addColumn('last_used_at', integer)
    .addUniqueConstraint('tokens_of_company', ['company_id', 'id'])
    .execute();

  await schema
    .createTable('fields')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('icon', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('order', integer, (column) => column.notNull())
    .addColumn('is_unique', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('deleted_at', integer)
    .addUniqueConstraint('fields_of_company', ['company_id', 'id'])
    .execute();
  await schema
    .createIndex('fields_in_order')
    .on('fields')
    .columns(['company_id', 'order', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();

  await schema
    .createTable('contacts')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('first_name', 'text')
    .addColumn('last_name', 'text')
    .addColumn('email_address', 'text')
    .addColumn('telephone_number', 'text')
    .addColumn('avatar', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('from_integration', integer, (column) => column.notNull())
    .addColumn('integration', 'text')
    .addColumn('from_whatsapp', integer, (column) => column.notNull())
    .addColumn('from_email', integer, (column) => column.notNull())
    .addColumn('is_anonymous', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('deleted_at', integer)
    .addUniqueConstraint('contacts_of_company', ['company_id', 'id'])
    .execute();
  // For lists without anonymous contacts, and for date ranges. Lists with anonymous contacts use the unique constraint.
  await schema
    .createIndex('contacts_with_a_name')
    .on('contacts')
    .columns(['company_id', 'id'])
    .where(sql<boolean>`deleted_at is null and is_anonymous = 0`)
    .execute();
  await schema
    .createIndex('contacts_by_creation')
    .on('contacts')
    .columns(['company_id', 'created_at', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();

  await schema
    .createTable('field_values')
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('contact_id', integer, (column) => column.notNull())
    .addColumn('field_id', integer, (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('unique_digest', bytes)
    .addPrimaryKeyConstraint('field_values_key', ['company_id', 'contact_id', 'field_id'])
    .addForeignKeyConstraint('field_values_contact', ['company_id', 'contact_id'], 'contacts', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('field_values_field', ['company_id', 'field_id'], 'fields', ['company_id', 'id'])
    .execute();
  await schema
    .createIndex('field_values_unique')
    .unique()
    .on('field_values')
    .columns(['company_id', 'field_id', 'unique_digest'])
    .where(sql.ref('unique_digest'), 'is not', null)
    .execute();

  await schema
    .createTable('idempotency_keys')
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_digest', bytes, (column) => column.notNull())
    .addColumn('status', integer, (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['company_id', 'key'])
    .execute();
  await schema
    .createIndex('idempotency_keys_by_age')
    .on('idempotency_keys')
    .columns(['company_id', 'created_at'])
    .execute();
};
