import { sql } from 'kysely';
import type { SchemaMigration } from '../engine.ts';

/**
 * What belongs to what is erased: without these each erasure would read all that a company has, and so would the databases'
 * own check that nothing points to a row that goes. They can be made beforehand, as the guide on scaling says.
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
