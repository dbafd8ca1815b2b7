import { throwApiError } from '../../errors.ts';
import { insertFieldValue } from '../../storage/queries/contacts.ts';
import { type Database, UniqueViolation } from '../../storage/store.ts';
import type { AcceptedValue } from '../fields/values.ts';

/** Stores the values of a contact. @throws ApiError if a unique value is already used */
export async function storeValues(
  db: Database,
  companyId: number,
  contactId: number,
  values: readonly AcceptedValue[],
): Promise<void> {
  // In a fixed order, so that writes of two contacts cannot deadlock.
  const inOrder = values.toSorted((one, other) => one.fieldId - other.fieldId);
  for (const { fieldId, value, uniqueDigest, index } of inOrder)
    try {
      await insertFieldValue(db, { companyId, contactId, fieldId, value, uniqueDigest });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throwApiError('uniqueValueTaken', {
        message: `Another contact has this value of the unique field ${fieldId}.`,
        fields: `/fields/${index}/value`,
      });
    }
}
