import { type CreatedRange, spanMs } from '../creation-spans.ts';
import { engineOf } from '../engine.ts';
import type { Database } from '../store.ts';

// So many rows at the most are looked at. What is spread over many years is found along the ids as well: then there is
// some of it nearly everywhere; and pages far behind walk over what lies before them anyway.
const maxRows = 20_000;

/**
 * The ids of a page of what was made within some time.
 * @returns undefined where any time will do, or too much would have to be looked at
 */
export async function findCreatedBetween(
  db: Database,
  within: CreatedRange,
  { order, limit, offset }: { order: 'asc' | 'desc'; limit: number; offset: number },
): Promise<number[] | undefined> {
  if (within.from === undefined && within.to === undefined) return undefined;
  const earliest = await endOf(db, within, 'asc');
  const latest = await endOf(db, within, 'desc');
  if (earliest === undefined || latest === undefined) return [];
  // As both engines divide: towards zero.
  const [first, last] = [Math.trunc(earliest / spanMs), Math.trunc(latest / spanMs)];
  const wanted = limit + offset;
  if ((last - first + 1) * wanted > maxRows) return undefined;
  const ids = await engineOf(db).firstOfSpans(db, within, { first, last, order, wanted });
  return ids.slice(offset);
}

/** When the first or the last of it was made. */
async function endOf(
  db: Database,
  { table, companyId, from, to }: CreatedRange,
  order: 'asc' | 'desc',
): Promise<number | undefined> {
  let query = db
    .selectFrom(table)
    .select('created_at')
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', order)
    .limit(1);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return (await query.executeTakeFirst())?.created_at;
}
