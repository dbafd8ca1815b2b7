import { entityTag } from '../../contract/entity-tag.ts';
import type { Schemas } from '../../contract/handler.ts';
import { notBefore } from '../../contract/timestamp.ts';
import { type CatalogError, errorResponse, validationError } from '../../errors.ts';
import { changedProperties, publish } from '../../events/publish.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { ApiError } from '../../pipeline/errors.ts';
import { lockFieldDefinitionsShared } from '../../storage/locks.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import { deleteFieldValues, findContactForUpdate, updateContactRow } from '../../storage/queries/contacts.ts';
import { listFields } from '../../storage/queries/fields.ts';
import type { Transaction } from '../../storage/store.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { writtenColumns } from './columns.ts';
import { loadPresentedContact, presentContact } from './present.ts';
import { matchesEntityTag } from './rules.ts';
import { storeValues } from './values.ts';

export interface ContactUpdateInput {
  companyId: number;
  id: number;
  body: Schemas['ContactUpdate'];
  ifMatch?: string | undefined;
}

/**
 * Replaces the writable properties of a contact with the body (D14). An update without changes does nothing (D56).
 * @param now returns milliseconds since 1970; called after the lock
 * @returns an error response if the contact does not exist or does not match `ifMatch`; undefined on success
 * @throws ApiError if a value is invalid or already used
 */
export async function applyContactUpdate(
  db: Transaction,
  { companyId, id, body, ifMatch }: ContactUpdateInput,
  now: () => number,
): Promise<CatalogError<'notFound'> | CatalogError<'preconditionFailed'> | undefined> {
  await lockFieldDefinitionsShared(db, companyId);
  const found = await findContactForUpdate(db, companyId, id);
  if (!found) return errorResponse('notFound', { message: `There is no contact ${id}.`, fields: 'path/id' });
  const before = presentContact(found);
  if (!matchesEntityTag(ifMatch, entityTag(JSON.stringify(before))))
    return errorResponse('preconditionFailed', {
      message: `Contact ${id} has changed since it was read. Read it again.`,
      fields: 'header/If-Match',
    });

  const { accepted, problems } = acceptValues(await listFields(db, companyId), body.fields);
  const foreign: FieldError[] =
    (body.company_id ?? companyId) === companyId
      ? []
      : [{ field: '/company_id', message: 'is not the company of this token' }];
  if (problems.length + foreign.length > 0) throw new ApiError(validationError([...foreign, ...problems]));

  if (!hasValues(found, accepted)) {
    await deleteFieldValues(db, companyId, id);
    await storeValues(db, companyId, id, accepted);
  }
  await updateContactRow(db, companyId, id, rowOf(body, accepted));
  const changed = changedProperties(before, await loadPresentedContact(db, companyId, id));
  if (changed.length === 0) return undefined;
  const changedAt = notBefore(found.contact, now());
  await updateContactRow(db, companyId, id, { updated_at: changedAt });
  await publish(db, {
    companyId,
    type: 'contact.updated',
    data: () => loadPresentedContact(db, companyId, id),
    changed,
    now: changedAt,
  });
  return undefined;
}

const hasValues = ({ values }: ContactWithValues, wanted: readonly AcceptedValue[]): boolean =>
  values.length === wanted.length &&
  wanted.every(({ fieldId, value }) =>
    values.some((held) => held.field.id === fieldId && held.value === value),
  );

function rowOf(body: Schemas['ContactUpdate'], values: readonly AcceptedValue[]) {
  // The properties with an underscore may be sent but are not stored. A property that neither this function nor
  // `writtenColumns` handles does not compile.
  const {
    avatar,
    status,
    id: _id,
    company_id: _company,
    created_at: _made,
    updated_at: _changed,
    ...given
  } = body;
  return { ...writtenColumns(given, values), avatar, status };
}
