import { ApiError } from '../../contract/errors.ts';
import { publish } from '../../delivery/publish.ts';
import { type ApiErrorResponse, errorResponse, notFoundError } from '../../errors.ts';
import { maxFieldOrder, maxFields } from '../../own-contract/constants.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { assertValid } from '../../own-contract/validate.ts';
import { lockCompany, lockFieldDefinitionsExclusive } from '../../storage/locks.ts';
import { claimFieldValues } from '../../storage/queries/bulk.ts';
import { type FieldRow, listFields, listValuesOfField } from '../../storage/queries/fields.ts';
import { insertRow, is, updateRows } from '../../storage/queries/rows.ts';
import type { Database, Transaction } from '../../storage/store.ts';
import { changeEntity } from '../change-entity.ts';
import { canonicalValue } from './canonical-value.ts';
import { presentField } from './present.ts';
import { uniqueDigest } from './values.ts';

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

export type FieldUpdate = Partial<Pick<FieldRow, 'name' | 'icon' | 'order'> & Pick<NewField, 'isUnique'>>;

/** Changes a field definition. Making a field unique claims all its values, and fails if two of them are equal. */
export async function updateFieldDefinition(
  db: Transaction,
  companyId: number,
  id: number,
  change: FieldUpdate,
  now: number,
): Promise<FieldRow> {
  const field = await requireField(db, companyId, id);
  const { isUnique = field.is_unique === 1, ...others } = change;
  const columns = { ...others, is_unique: isUnique ? 1 : 0 } as const;
  assertValid('CustomField', presentField({ ...field, ...columns }, null));
  if (columns.is_unique && !field.is_unique) await claimValues(db, field);
  if (!columns.is_unique && field.is_unique) await freeValues(db, field);
  return changeField(db, field, columns, { type: 'field.updated', now });
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
  await freeValues(db, field);
  return changeField(db, field, { deleted_at: notBefore(field, now) }, { type: 'field.deleted', now });
}

/** Frees the unique values of a field. */
async function freeValues(db: Database, { company_id, id: field_id }: FieldRow): Promise<void> {
  const unique = { company_id, field_id, unique_digest: is.notNull };
  await updateRows(db, 'field_values', unique, { unique_digest: null });
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

/**
 * Claims all values of a field that becomes unique. The lock on field definitions prevents concurrent writes of values,
 * so equal values are found before anything is written.
 */
async function claimValues(db: Database, { company_id, id: field_id, type, name }: FieldRow): Promise<void> {
  const claimed = new Set<string>();
  const rows = (await listValuesOfField(db, company_id, field_id)).map(({ contact_id, value }) => {
    const canonical = canonicalValue(type, value);
    if (canonical.wrong !== undefined)
      throw new Error(`Contact ${contact_id} has a value that does not fit field ${field_id}.`);
    if (claimed.has(canonical.key)) throw new ApiError(cannotBeUnique(name, contact_id));
    claimed.add(canonical.key);
    return { company_id, contact_id, field_id, value, unique_digest: uniqueDigest(canonical.key) };
  });
  await claimFieldValues(db, rows);
}

const cannotBeUnique = (name: string, contactId: number): ApiErrorResponse =>
  errorResponse('uniqueValueTaken', {
    message: `“${name}” cannot be unique: contact ${contactId} has the same value as another. Change one of them first.`,
  });
