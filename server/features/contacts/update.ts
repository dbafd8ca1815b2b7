import { ApiError } from '../../contract/errors.ts';
import { changedProperties, publish } from '../../delivery/publish.ts';
import { type ApiErrorResponse, errorResponse, validationError } from '../../errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { type ContactProperties, contactProperties } from '../../own-contract/contact-properties.ts';
import { entityTag } from '../../own-contract/entity-tag.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { lockFieldDefinitionsShared } from '../../storage/locks.ts';
import type { ContactValue } from '../../storage/queries/contact-values.ts';
import { findContactForUpdate } from '../../storage/queries/contacts.ts';
import { type FieldRow, listFields } from '../../storage/queries/fields.ts';
import { deleteRows, updateRow } from '../../storage/queries/rows.ts';
import type { Transaction } from '../../storage/store.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { splitOff, withDefaults, writtenColumns } from './columns.ts';
import { presentContact } from './present.ts';
import { matchesEntityTag } from './rules.ts';
import { storeValues } from './values.ts';

interface ContactUpdate extends Pick<Schemas['ContactUpdate'], 'avatar' | 'status'> {
  /** The other written properties. The optional ones that are missing keep their values (D14). */
  given: Schemas['ContactCreate'] & Pick<ContactProperties, 'fields'>;
  /** The company ID in the body, if any. */
  companyId: number | undefined;
}

/** Reads the body of an update. Properties assigned to names with an underscore may be sent but have no effect. */
export function readContactUpdate<Contact extends Schemas['ContactUpdate']>(body: Contact) {
  const {
    avatar,
    status,
    company_id: companyId,
    id: _id,
    created_at: _made,
    updated_at: _changed,
    ...rest
  } = body;
  const [, remaining] = splitOff(rest, contactProperties);
  // The compiler knows of the type of the contract, but not of `Contact`, that a property is absent or has a value.
  const update: Schemas['ContactUpdate'] = body;
  const [given] = splitOff(update, contactProperties);
  const contact: ContactUpdate = { given, avatar, status, companyId };
  return [contact, remaining] as const;
}

export interface ContactUpdateInput {
  companyId: number;
  id: number;
  contact: ContactUpdate;
  ifMatch?: string | undefined;
}

/**
 * Replaces the writable properties of a contact with the body (D14). An update without changes does nothing (D56).
 * @param now returns milliseconds since 1970; called after the lock
 * @returns the contact after the update, or an error response if it does not exist or does not match `ifMatch`
 * @throws ApiError if a value is invalid or already used
 */
export async function applyContactUpdate(
  db: Transaction,
  { companyId, id, contact, ifMatch }: ContactUpdateInput,
  now: () => number,
): Promise<Schemas['Contact'] | ApiErrorResponse<'notFound'> | ApiErrorResponse<'preconditionFailed'>> {
  await lockFieldDefinitionsShared(db, companyId);
  const found = await findContactForUpdate(db, companyId, id);
  if (!found) return errorResponse('notFound', { message: `There is no contact ${id}.`, fields: 'path/id' });
  const before = presentContact(found);
  if (!matchesEntityTag(ifMatch, entityTag(JSON.stringify(before))))
    return errorResponse('preconditionFailed', {
      message: `Contact ${id} has changed since it was read. Read it again.`,
      fields: 'header/If-Match',
    });

  const definitions = await listFields(db, companyId);
  const { accepted, problems } = acceptValues(definitions, contact.given.fields);
  const foreign: FieldError[] =
    (contact.companyId ?? companyId) === companyId
      ? []
      : [{ field: '/company_id', message: 'is not the company of this token' }];
  if (problems.length + foreign.length > 0) throw new ApiError(validationError([...foreign, ...problems]));

  const changedAt = notBefore(found.contact, now());
  const { given, avatar, status } = contact;
  const written = writtenColumns(withDefaults({ ...before, ...given }), accepted);
  const change = { ...written, avatar, status, updated_at: changedAt };
  const values = valuesOf(definitions, accepted);
  const after = presentContact({ contact: { ...found.contact, ...change }, values });
  const changed = changedProperties(before, after);
  if (changed.length === 0) return before;
  await updateRow(db, 'contacts', found.contact, change);
  if (changed.includes('fields')) {
    await deleteRows(db, 'field_values', { company_id: companyId, contact_id: id });
    await storeValues(db, companyId, id, accepted);
  }
  await publish(db, { companyId, type: 'contact.updated', data: async () => after, changed, now: changedAt });
  return after;
}

/** Returns the values as a read returns them after they have been stored. The definitions are in display order. */
function valuesOf(definitions: readonly FieldRow[], accepted: readonly AcceptedValue[]): ContactValue[] {
  const byField = new Map(accepted.map(({ fieldId, value }) => [fieldId, value]));
  return definitions.flatMap((field) => {
    const value = byField.get(field.id);
    return value === undefined ? [] : [{ field, value }];
  });
}
