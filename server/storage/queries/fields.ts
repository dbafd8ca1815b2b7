import type { Selectable } from 'kysely';
import { preparedStatement } from '../prepared-statement.ts';
import type { Database } from '../store.ts';
import type { FieldTable } from '../tables/fields.ts';

export type FieldRow = Selectable<FieldTable>;

const fieldsOf = preparedStatement((db, { companyId }: { companyId: number }) =>
  db
    .selectFrom('fields')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('deleted_at', 'is', null)
    .orderBy('order')
    .orderBy('id'),
);

/** Lists the fields of a company in display order (D06). */
export const listFields = (db: Database, companyId: number): Promise<FieldRow[]> =>
  fieldsOf(db, { companyId });

/** Lists the values of a field on contacts that are not deleted. */
export function listValuesOfField(db: Database, companyId: number, fieldId: number) {
  return db
    .selectFrom('field_values as v')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.company_id', '=', 'v.company_id').onRef('c.id', '=', 'v.contact_id'),
    )
    .select(['v.contact_id', 'v.value'])
    .where('v.company_id', '=', companyId)
    .where('v.field_id', '=', fieldId)
    .where('c.deleted_at', 'is', null)
    .orderBy('v.contact_id')
    .execute();
}

/** Frees the unique values of a field. */
export async function freeValues(db: Database, companyId: number, fieldId: number): Promise<void> {
  await db
    .updateTable('field_values')
    .set({ unique_digest: null })
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .where('unique_digest', 'is not', null)
    .execute();
}

/** Lists deleted fields of all companies. */
export function listDeletedFields(db: Database): Promise<{ company_id: number; id: number }[]> {
  return db.selectFrom('fields').select(['company_id', 'id']).where('deleted_at', 'is not', null).execute();
}

/** Lists contacts, including deleted ones, that have a value for a field. */
export async function listContactsWithField(
  db: Database,
  companyId: number,
  fieldId: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('field_values')
    .select('contact_id')
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    // The caller locks the contacts. A fixed order prevents deadlocks.
    .orderBy('contact_id')
    .limit(limit)
    .execute();
  return rows.map(({ contact_id }) => contact_id);
}
