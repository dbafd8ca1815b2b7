import { type CreatedRange, spanMs } from '../creation-spans.ts';
import { engineOf } from '../engine.ts';
import type { Database } from '../store.ts';

// Maximum number of rows to read. Above it, the caller scans rows in order of ID instead: in a range of many years,
// such a scan soon finds enough rows, and for a distant page it has to skip the rows before the page anyway.
const maxRows = 20_000;

/**
 * Returns the IDs of a page of rows created in a time range.
 * @returns undefined if there is no range, or if too many rows would be read
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
  // Rounds towards zero, like integer division in both engines.
  const [first, last] = [Math.trunc(earliest / spanMs), Math.trunc(latest / spanMs)];
  const wanted = limit + offset;
  if ((last - first + 1) * wanted > maxRows) return undefined;
  const ids = await engineOf(db).firstOfSpans(db, within, { first, last, order, wanted });
  return ids.slice(offset);
}

/** Returns the creation time of the first or last row in a range. */
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
