import { sql } from 'kysely';
import { spanMs } from '../creation-spans.ts';
import type { SchemaMigration } from '../engine.ts';

/**
 * Indexes for listing rows created within a time range, ordered by ID (see creation-spans.ts). The guide on scaling
 * describes how to create them on large tables beforehand, without blocking writes. The migration then skips them.
 */
export const creationSpans: SchemaMigration = async (db) => {
  const span = sql.raw(`(created_at / ${spanMs})`);
  for (const [table, more] of [
    ['contacts', ', is_anonymous'],
    ['conversations', ''],
  ] as const)
    await sql`create index if not exists ${sql.raw(`${table}_by_span`)} on ${sql.table(table)}
      (company_id, ${span}, id, created_at${sql.raw(more)}) where deleted_at is null`.execute(db);
};
