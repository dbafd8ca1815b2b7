import { sql } from 'kysely';
import type { SchemaMigration } from '../engine.ts';

/**
 * Indexes for erasure: without them, each erasure and each foreign-key check would read all data of a company. They
 * can be created beforehand, as the guide on scaling describes.
 */
export const erasure: SchemaMigration = async (db) => {
  for (const [name, table, columns] of [
    ['conversations_of_caller', 'conversations', 'company_id, caller_id'],
    ['messages_by_conversation', 'messages', 'company_id, conversation_id'],
    ['deliveries_by_entity', 'deliveries', 'company_id, data_id'],
    ['import_keys_by_id', 'import_keys', 'company_id, kind, id'],
  ] as const)
    await sql`create index if not exists ${sql.raw(name)} on ${sql.table(table)} (${sql.raw(columns)})`.execute(
      db,
    );
};
