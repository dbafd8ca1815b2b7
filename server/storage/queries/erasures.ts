import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { ErasureTable } from '../tables/erasures.ts';
import { findRow } from './rows.ts';

export type ErasureRow = Selectable<ErasureTable>;

export type Erasable = Pick<ErasureRow, 'company_id' | 'kind' | 'entity_id'>;

/**
 * Records an erasure, if the entity exists. Call it before erasing, so that an interrupted erasure is listed too.
 * Recording an erasure twice has no effect.
 */
export async function recordErasure(
  db: Database,
  { company_id, kind, entity_id, erased_at }: Omit<ErasureRow, 'entity_created_at'>,
): Promise<void> {
  const entity = await findErasable(db, { company_id, kind, entity_id });
  if (entity) await insertErasures(db, [{ company_id, kind, entity_id, erased_at, ...entity }]);
}

export async function insertErasures(db: Database, rows: readonly ErasureRow[]): Promise<void> {
  for (const row of rows)
    await db
      .insertInto('erasures')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

const tables = { contact: 'contacts', token: 'tokens', webhook: 'webhooks' } as const;

/** Returns when an entity, deleted or not, was created; undefined if it does not exist. */
export async function findErasable(
  db: Database,
  { company_id, kind, entity_id }: Erasable,
): Promise<{ entity_created_at: number } | undefined> {
  const row =
    kind === 'company'
      ? await findRow(db, 'companies', { id: company_id })
      : await findRow(db, tables[kind], { company_id, id: entity_id });
  return row && { entity_created_at: row.created_at };
}

/** Returns the latest erasure that is recorded for an ID. */
export function findErasure(
  db: Database,
  { company_id, kind, entity_id }: Erasable,
): Promise<ErasureRow | undefined> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('kind', '=', kind)
    .where('entity_id', '=', entity_id)
    .orderBy('erased_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Lists the companies, and contacts of all companies, that were erased. */
export function listErasures(db: Database): Promise<ErasureRow[]> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('kind', 'in', ['contact', 'company'])
    .orderBy('erased_at')
    .orderBy('company_id')
    .orderBy('entity_id')
    .execute();
}
