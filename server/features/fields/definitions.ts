import { ApiError } from '../../contract/errors.ts';
import { publish } from '../../delivery/publish.ts';
import { errorResponse, notFoundError } from '../../errors.ts';
import { maxFieldOrder, maxFields } from '../../own-contract/constants.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { assertValid } from '../../own-contract/validate.ts';
import { lockCompany, lockFieldDefinitionsExclusive } from '../../storage/locks.ts';
import { type FieldRow, listFields } from '../../storage/queries/fields.ts';
import { insertRow, is, updateRows } from '../../storage/queries/rows.ts';
import type { Database, Transaction } from '../../storage/store.ts';
import { changeEntity } from '../change-entity.ts';
import { presentField } from './present.ts';

export interface NewField {
  name: string;
  type: Schemas['FieldType'];
  icon: string;
  order: number | undefined;
  isUnique: boolean;
}

/** Defines a field. Without `order`, it becomes the last one. */
export async function addField(
  db: Transaction,
  companyId: number,
  given: NewField,
  now: number,
): Promise<FieldRow> {
  await lockCompany(db, companyId);
  const present = await listFields(db, companyId);
  if (present.length >= maxFields)
    throw new ApiError(
      errorResponse('validationFailed', { message: `A company has at most ${maxFields} custom fields.` }),
    );
  const last = present.at(-1)?.order ?? 0;
  const field = {
    company_id: companyId,
    icon: given.icon,
    name: given.name,
    type: given.type,
    // Fields with the same order are sorted by ID.
    order: given.order ?? Math.min(last + 1, maxFieldOrder),
    is_unique: given.isUnique ? 1 : 0,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  } as const;
  const valid = { ...field, id: 1 };
  assertValid('CustomField', presentField(valid, null));
  const made = { ...field, id: await insertRow(db, 'fields', field) };
  const data = async () => presentField(made, null);
  await publish(db, { companyId, type: 'field.created', data, now });
  return made;
}

export type FieldUpdate = Partial<Pick<FieldRow, 'name' | 'icon' | 'order'>>;

/** Changes how a field is displayed. Its type stays, and whether its values are unique. */
export async function updateFieldDefinition(
  db: Transaction,
  companyId: number,
  id: number,
  change: FieldUpdate,
  now: number,
): Promise<FieldRow> {
  const field = await requireField(db, companyId, id);
  assertValid('CustomField', presentField({ ...field, ...change }, null));
  return changeField(db, field, change, { type: 'field.updated', now });
}

/**
 * Deletes a field definition, hides its values (D39) and frees its unique values. `purgeDeletedFieldValues` removes
 * the values later.
 */
export async function deleteField(
  db: Transaction,
  companyId: number,
  id: number,
  now: number,
): Promise<FieldRow> {
  const field = await requireField(db, companyId, id);
  const unique = { company_id: companyId, field_id: id, unique_digest: is.notNull };
  await updateRows(db, 'field_values', unique, { unique_digest: null });
  return changeField(db, field, { deleted_at: notBefore(field, now) }, { type: 'field.deleted', now });
}

const changeField = (
  db: Transaction,
  field: FieldRow,
  change: Partial<FieldRow>,
  event: { type: 'field.updated' | 'field.deleted'; now: number },
): Promise<FieldRow> =>
  changeEntity(db, field, change, { ...event, table: 'fields', present: (row) => presentField(row, null) });

async function requireField(db: Database, companyId: number, id: number): Promise<FieldRow> {
  await lockFieldDefinitionsExclusive(db, companyId);
  const field = (await listFields(db, companyId)).find((candidate) => candidate.id === id);
  if (!field) throw notFoundError(companyId, 'custom field', id);
  return field;
}
