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
