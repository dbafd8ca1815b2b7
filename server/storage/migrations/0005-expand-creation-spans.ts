import { sql } from 'kysely';
import { spanMs } from '../creation-spans.ts';
import type { SchemaMigration } from '../engine.ts';

/**
 * What was made within some time, by id. On tables with many millions of rows the indexes can be made beforehand
 * without keeping anybody from writing, as the guide on scaling says: they are not made twice.
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
