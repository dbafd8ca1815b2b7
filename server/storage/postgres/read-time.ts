import { sql } from 'kysely';
import type { Database } from '../store.ts';

/** Returns the time of the database, in milliseconds since 1970. */
export async function readPostgresTime(db: Database): Promise<number> {
  const { rows } = await sql<{
    time: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`.execute(db);
  return rows[0]?.time ?? Number.NaN;
}
