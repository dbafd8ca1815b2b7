import { sql } from 'kysely';
import { spanMs } from '../creation-spans.ts';
import type { SchemaMigration } from '../engine.ts';
import { addColumns } from './add-columns.ts';

/**
 * The schema of version 1.6.0. It replaces the twelve migrations that led to it, has the name of the last of them, and
 * writes the same definitions, byte for byte.
 *
 * The key of each table begins with the company ID, and foreign keys include it, so that no row can refer to a row of
 * another company.
 */
export const firstSchema: SchemaMigration = async (db, engine) => {
  const table = (name: string, columns: string) => addColumns(db.schema.createTable(name), columns, engine);
  const key = ['company_id', 'id'];

  await db.schema
    .createTable('companies')
    // The only table whose key is the ID alone.
    .addColumn('id', engine.integer, (column) => engine.identity(column).primaryKey())
    .$call((companies) =>
      addColumns(companies, 'name text, created_at integer, rate_per_minute integer?', engine),
    )
    .execute();
  await table(
    'tokens',
    `id identity, company_id company, user_id integer, name text, digest unique, scopes text, created_at integer,
    expires_at integer, revoked_at integer?, last_used_at integer?, rate_per_minute integer?`,
  )
    .addUniqueConstraint('tokens_of_company', key)
    .execute();
  await table(
    'fields',
    `id identity, company_id company, icon text, name text, type text, order integer, is_unique integer,
    created_at integer, updated_at integer, deleted_at integer?`,
  )
    .addUniqueConstraint('fields_of_company', key)
    .execute();
  await table(
    'contacts',
    `id identity, company_id company, first_name text?, last_name text?, email_address text?, telephone_number text?,
    avatar text?, status text, from_integration integer, integration text?, from_whatsapp integer, from_email integer,
    is_anonymous integer, created_at integer, updated_at integer, deleted_at integer?, search_text text?`,
  )
    .addUniqueConstraint('contacts_of_company', key)
    .execute();
  await engine.createSearchIndex(db);
  await table(
    'field_values',
    'company_id integer, contact_id integer, field_id integer, value text, unique_digest bytes?',
  )
    .addPrimaryKeyConstraint('field_values_key', ['company_id', 'contact_id', 'field_id'])
    .addForeignKeyConstraint('field_values_contact', ['company_id', 'contact_id'], 'contacts', key)
    .addForeignKeyConstraint('field_values_field', ['company_id', 'field_id'], 'fields', key)
    .execute();
  await table(
    'conversations',
    `id identity, company_id company, caller_id integer, user_id integer?, team_id integer?, service text,
    webchat_socket_channel text?, new integer, is_closed integer, archived integer?, chatbot_enabled integer,
    no_matches_count integer, out_of_office_replied integer, created_at integer, updated_at integer,
    deleted_at integer?`,
  )
    .addUniqueConstraint('conversations_of_company', key)
    .addForeignKeyConstraint('conversations_caller', ['company_id', 'caller_id'], 'contacts', key)
    .execute();
  await table(
    'messages',
    `id identity, company_id integer, conversation_id integer, user_id integer?, type text, payload text,
    payload_bytes integer, new integer, read integer, created_at integer, updated_at integer, deleted_at integer?`,
  )
    .addUniqueConstraint('messages_of_company', key)
    .addForeignKeyConstraint('messages_conversation', ['company_id', 'conversation_id'], 'conversations', key)
    .execute();
  await table(
    'webhooks',
    `id identity, company_id company, verb_id integer, entity_id integer, action_id integer, url text,
    automation_id integer?, secret bytes, last_sequence integer, created_at integer, updated_at integer,
    deleted_at integer?, disabled_at integer?, disabled_why text?, failing_since integer?, previous_secret bytes?,
    previous_secret_until integer?, created_by_token integer?, updated_by_token integer?`,
  )
    .addUniqueConstraint('webhooks_of_company', key)
    .execute();

  const deliveryKey = ['company_id', 'webhook_id', 'sequence'];
  await table(
    'deliveries',
    `company_id integer, webhook_id integer, sequence integer, type text, data_id integer, state text,
    created_at integer, due_at integer?, leased_by text?, leased_until integer?`,
  )
    .addColumn('attempts', engine.integer, (column) => column.notNull().defaultTo(0))
    .addColumn('replayed', engine.integer, (column) => column.notNull().defaultTo(0))
    .addColumn('log', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('traceparent', 'text')
    .addPrimaryKeyConstraint('deliveries_key', deliveryKey)
    .addForeignKeyConstraint('deliveries_webhook', ['company_id', 'webhook_id'], 'webhooks', key)
    .execute();
  // Payloads never change. They have their own table, because otherwise each update of a delivery would rewrite them.
  await table('delivery_payloads', 'company_id integer, webhook_id integer, sequence integer, payload text')
    .addPrimaryKeyConstraint('delivery_payloads_key', deliveryKey)
    .addForeignKeyConstraint(
      'delivery_payloads_delivery',
      deliveryKey,
      'deliveries',
      deliveryKey,
      (foreign) => foreign.onDelete('cascade'),
    )
    .execute();

  await table(
    'idempotency_keys',
    'company_id company, key text, request_digest bytes, status integer, headers text, body text, created_at integer',
  )
    .addPrimaryKeyConstraint('idempotency_keys_key', ['company_id', 'key'])
    .execute();
  await table('import_keys', 'company_id company, kind text, key text, id integer')
    .addPrimaryKeyConstraint('import_keys_key', ['company_id', 'kind', 'key'])
    .execute();
  // The IDs of what operators have erased, so that the erasures can be repeated after a restore.
  await table(
    'erasures',
    'company_id integer, kind text, entity_id integer, entity_created_at integer, erased_at integer',
  )
    .addPrimaryKeyConstraint('erasures_key', ['company_id', 'kind', 'entity_id', 'entity_created_at'])
    .execute();
  await table(
    'audit_records',
    `id identity, company_id integer, created_at integer, operator text?, token_id integer?, user_id integer?,
    action text, entity_id integer?, request_id text?, options text?`,
  )
    .addUniqueConstraint('audit_records_key', key)
    .execute();
  await engine.keepRows(db, 'audit_records', 30);

  // Versions that know migration 0013 do not use these two tables. They stay for older versions, which run during an
  // upgrade or again after it, until a migration `…-contract-0013-…` drops them.
  await table('rate_buckets', 'limit_name text, key text, level integer, at integer, spent integer')
    .addPrimaryKeyConstraint('rate_buckets_key', ['limit_name', 'key'])
    .execute();
  await table('usage_counts', 'company_id integer, day integer, requests integer, webhook_requests integer')
    .addPrimaryKeyConstraint('usage_counts_key', ['company_id', 'day'])
    .execute();

  for (const index of indexes) await sql.raw(`create ${index}`).execute(db);
};

/** The indexes. Quotes and line breaks are those of the migrations that this one replaces. */
const indexes = [
  'index "fields_in_order" on "fields" ("company_id", "order", "id") where "deleted_at" is null',
  // For lists without anonymous contacts, and for date ranges. Lists with anonymous contacts use the unique constraint.
  'index "contacts_with_a_name" on "contacts" ("company_id", "id") where deleted_at is null and is_anonymous = 0',
  'index "contacts_by_creation" on "contacts" ("company_id", "created_at", "id") where "deleted_at" is null',
  // Finds the contacts whose search texts the service still has to create.
  'index "contacts_without_search_text" on "contacts" ("company_id", "id") where search_text is null and deleted_at is null',
  // For listing rows created within a time range, ordered by ID: see creation-spans.ts.
  `index contacts_by_span on "contacts"
      (company_id, (created_at / ${spanMs}), id, created_at, is_anonymous) where deleted_at is null`,
  'unique index "field_values_unique" on "field_values" ("company_id", "field_id", "unique_digest") where "unique_digest" is not null',
  'index "field_values_by_field" on "field_values" ("company_id", "field_id", "contact_id")',
  'index "conversations_by_creation" on "conversations" ("company_id", "created_at", "id") where "deleted_at" is null',
  `index conversations_by_span on "conversations"
      (company_id, (created_at / ${spanMs}), id, created_at) where deleted_at is null`,
  // Covers all columns that the response size limits (D22) need, so that they are applied without reading the messages.
  'index "messages_of_conversation" on "messages" ("company_id", "conversation_id", "id", "payload_bytes", "deleted_at") where "deleted_at" is null',
  'index "webhooks_by_event" on "webhooks" ("company_id", "entity_id", "action_id", "id") where "deleted_at" is null',
  // Without the next four, each erasure and each foreign-key check would read all data of a company.
  'index conversations_of_caller on "conversations" (company_id, caller_id)',
  'index messages_by_conversation on "messages" (company_id, conversation_id)',
  'index deliveries_by_entity on "deliveries" (company_id, data_id)',
  'index import_keys_by_id on "import_keys" (company_id, kind, id)',
  // These two exclude claimed deliveries, so that their due times need not be kept sorted. The first is for the check
  // whether any delivery is due, the second for listing webhooks with pending deliveries, and the due ones of each.
  `index "deliveries_due" on "deliveries" ("due_at") where state = 'waiting' and leased_by is null`,
  `index "deliveries_of_webhook_due" on "deliveries" ("company_id", "webhook_id", "due_at", "sequence") where state = 'waiting' and leased_by is null`,
  // For the check whether an older delivery about the same entity is due.
  `index "deliveries_of_entity" on "deliveries" ("company_id", "webhook_id", "data_id", "sequence") where state = 'waiting'`,
  // Allows only one claimed delivery per webhook and entity (D46), however many workers run.
  'unique index "deliveries_leased" on "deliveries" ("company_id", "webhook_id", "data_id") where leased_by is not null',
  // For operators, who list and count exhausted deliveries.
  `index "deliveries_exhausted" on "deliveries" ("company_id", "webhook_id", "sequence") where state = 'exhausted'`,
  'index "idempotency_keys_by_age" on "idempotency_keys" ("company_id", "created_at")',
  'index "audit_records_by_age" on "audit_records" ("created_at")',
];
