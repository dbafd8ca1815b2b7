import { ApiError } from '../../contract/errors.ts';
import { errorResponse } from '../../errors.ts';
import { insertFieldValue } from '../../storage/queries/contacts.ts';
import { findRow } from '../../storage/queries/rows.ts';
import { type Database, type Store, UniqueViolation } from '../../storage/store.ts';
import type { AcceptedValue } from '../fields/values.ts';

/** A value of a unique field. */
interface UniqueValue {
  company_id: number;
  field_id: number;
  /** SHA-256 of the canonical value. */
  unique_digest: Uint8Array;
}

/** Another contact has a unique value. */
class UniqueValueTaken extends ApiError {
  readonly value: UniqueValue;

  /** @param holder the contact that has the value, if the error response may name it */
  constructor(value: UniqueValue, location: string, holder?: number) {
    super(
      errorResponse('uniqueValueTaken', {
        message: `${holder === undefined ? 'Another contact' : `Contact ${holder}`} has this value of the unique field ${value.field_id}.`,
        fields: location,
      }),
    );
    this.value = value;
  }
}

/** Stores the values of a contact. @throws ApiError if a unique value is already used */
export async function storeValues(
  db: Database,
  companyId: number,
  contactId: number,
  values: readonly AcceptedValue[],
): Promise<void> {
  // In a fixed order, so that writes of two contacts cannot deadlock.
  const inOrder = values.toSorted((one, other) => one.fieldId - other.fieldId);
  for (const { fieldId: field_id, value, uniqueDigest: unique_digest, index } of inOrder)
    try {
      await insertFieldValue(db, {
        company_id: companyId,
        contact_id: contactId,
        field_id,
        value,
        unique_digest,
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation) || unique_digest === null) throw error;
      throw new UniqueValueTaken(
        { company_id: companyId, field_id, unique_digest },
        `/fields/${index}/value`,
      );
    }
}

/**
 * Runs a function that writes a contact. If a unique value is already used, the error response names the contact that
 * has it. That contact is read after the failed transaction.
 * @param scopes the scopes of the caller; without `contacts:read`, the error response names no contact
 * @throws ApiError if `write` does
 */
export async function nameHolderOfTakenValue<Result>(
  store: Pick<Store, 'read'>,
  scopes: ReadonlySet<string>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueValueTaken) || !scopes.has('contacts:read')) throw error;
    const { value, errorResponse: rejected } = error;
    const holder = await store.read((db) => findRow(db, 'field_values', value));
    throw new UniqueValueTaken(value, rejected.fields, holder?.contact_id);
  }
}
