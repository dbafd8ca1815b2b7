import { changedProperties, publish } from '../delivery/publish.ts';
import type { DataOf } from '../own-contract/events.ts';
import { notBefore } from '../own-contract/timestamp.ts';
import type { EventType } from '../own-contract/webhook-selectors.ts';
import { updateRow } from '../storage/queries/rows.ts';
import type { Transaction } from '../storage/store.ts';

interface Row {
  id: number;
  company_id: number;
  updated_at: number;
}

interface ChangeOptions<Changed extends Row, Type extends EventType> {
  table: 'conversations' | 'fields' | 'messages';
  /** The event. */
  type: Type;
  /** Converts a row to the API's form. */
  present: (row: Changed) => DataOf<Type> & { id: number };
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Changes or deletes an entity and publishes the event. A change without effect does nothing (D56).
 * @param row the entity, locked
 * @returns the entity after the change
 */
export async function changeEntity<Changed extends Row, Type extends EventType>(
  db: Transaction,
  row: Changed,
  change: Partial<Omit<Changed, keyof Row>>,
  { table, type, present, now }: ChangeOptions<Changed, Type>,
): Promise<Changed> {
  const changedAt = notBefore(row, now);
  const columns = { ...change, updated_at: changedAt };
  const after = { ...row, ...columns };
  const changed = changedProperties(present(row), present(after));
  if (changed.length === 0) return row;
  await updateRow(db, table, row, columns);
  await publish(db, {
    companyId: row.company_id,
    type,
    data: async () => present(after),
    changed: type.endsWith('.deleted') ? [] : changed,
    now: changedAt,
  });
  return after;
}
