import { sql } from 'kysely';
import { type CreatedRange, isCreatedWithin, type SpanPage } from '../creation-spans.ts';
import type { Database } from '../store.ts';

/** Returns the IDs of the first rows of a time range, in order, with one query (see ../creation-spans.ts). */
export async function firstOfSpansInPostgres(
  db: Database,
  within: CreatedRange,
  { first, last, order, wanted }: SpanPage,
): Promise<number[]> {
  const by = sql.raw(order);
  const { rows } = await sql<{ id: number }>`select made.id
    from generate_series(${first}::bigint, ${last}::bigint) as s(span)
    cross join lateral (
      select id from ${sql.table(within.table)} where ${isCreatedWithin(within, sql`s.span`)}
      order by id ${by} limit ${wanted}
    ) made
    order by made.id ${by} limit ${wanted}`.execute(db);
  return rows.map(({ id }) => id);
}
