import { sql } from 'kysely';
import type { SchemaMigration } from '../engine.ts';

/** Conversations, messages, webhooks, deliveries, contact search, import keys. */
export const wholeService: SchemaMigration = async (db, { identity, integer, bytes, createSearchIndex }) => {
  const { schema } = db;
  await schema.alterTable('contacts').addColumn('search_text', 'text').execute();
  // Finds the contacts from before this migration, whose search texts the service still has to create.
  await schema
    .createIndex('contacts_without_search_text')
    .on('contacts')
    .columns(['company_id', 'id'])
    .where(sql<boolean>`search_text is null and deleted_at is null`)
    .execute();
  await createSearchIndex(db);
  await schema
    .createIndex('field_values_by_field')
    .on('field_values')
    .columns(['company_id', 'field_id', 'contact_id'])
    .execute();

  await schema
    .createTable('conversations')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('caller_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('team_id', integer)
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('webchat_socket_channel', 'text')
    .addColumn('new', integer, (column) => column.notNull())
    .addColumn('is_closed', integer, (column) => column.notNull())
    .addColumn('archived', integer)
    .addColumn('chatbot_enabled', integer, (column) => column.notNull())
    .addColumn('no_matches_count', integer, (column) => column.notNull())
    .addColumn('out_of_office_replied', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('deleted_at', integer)
    .addUniqueConstraint('conversations_of_company', ['company_id', 'id'])
    .addForeignKeyConstraint('conversations_caller', ['company_id', 'caller_id'], 'contacts', [
      'company_id',
      'id',
    ])
    .execute();
  await schema
    .createIndex('conversations_by_creation')
    .on('conversations')
    .columns(['company_id', 'created_at', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();

  await schema
    .createTable('messages')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('conversation_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('payload_bytes', integer, (column) => column.notNull())
    .addColumn('new', integer, (column) => column.notNull())
    .addColumn('read', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('deleted_at', integer)
    .addUniqueConstraint('messages_of_company', ['company_id', 'id'])
    .addForeignKeyConstraint('messages_conversation', ['company_id', 'conversation_id'], 'conversations', [
      'company_id',
      'id',
    ])
    .execute();
  // Covers all columns that the response size limits (D22) need, so that they are applied without reading the messages.
  await schema
    .createIndex('messages_of_conversation')
    .on('messages')
    .columns(['company_id', 'conversation_id', 'id', 'payload_bytes', 'deleted_at'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();

  await schema
    .createTable('webhooks')
    .addColumn('id', integer, identity)
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('verb_id', integer, (column) => column.notNull())
    .addColumn('entity_id', integer, (column) => column.notNull())
    .addColumn('action_id', integer, (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('automation_id', integer)
    .addColumn('secret', bytes, (column) => column.notNull())
    .addColumn('last_sequence', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('deleted_at', integer)
    .addUniqueConstraint('webhooks_of_company', ['company_id', 'id'])
    .execute();
  await schema
    .createIndex('webhooks_by_event')
    .on('webhooks')
    .columns(['company_id', 'entity_id', 'action_id', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();

  await schema
    .createTable('deliveries')
    .addColumn('company_id', integer, (column) => column.notNull())
    .addColumn('webhook_id', integer, (column) => column.notNull())
    .addColumn('sequence', integer, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('data_id', integer, (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('deliveries_key', ['company_id', 'webhook_id', 'sequence'])
    .addForeignKeyConstraint('deliveries_webhook', ['company_id', 'webhook_id'], 'webhooks', [
      'company_id',
      'id',
    ])
    .execute();

  await schema
    .createTable('import_keys')
    .addColumn('company_id', integer, (column) => column.notNull().references('companies.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('id', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('import_keys_key', ['company_id', 'kind', 'key'])
    .execute();
};
