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
