import { sql } from 'kysely';
import { type CreatedRange, isCreatedWithin, type SpanPage } from '../creation-spans.ts';
import type { Database } from '../store.ts';

/** Returns the IDs of the first rows of a time range, in order, with one index lookup per span. */
export async function firstOfSpansInSqlite(
  db: Database,
  within: CreatedRange,
  { first, last, order, wanted }: SpanPage,
): Promise<number[]> {
  const direction = order === 'asc' ? 1 : -1;
  let ids: number[] = [];
  for (let span = first; span <= last; span += 1) {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(within.table)}
      where ${isCreatedWithin(within, span)} order by id ${sql.raw(order)} limit ${wanted}`.execute(db);
    ids.push(...rows.map(({ id }) => id));
    if (ids.length > wanted) ids = ids.sort((one, other) => direction * (one - other)).slice(0, wanted);
  }
  return ids.sort((one, other) => direction * (one - other));
}
