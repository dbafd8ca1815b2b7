import { throwApiError } from '../../errors.ts';
import { insertFieldValue } from '../../storage/queries/contacts.ts';
import { type Database, UniqueViolation } from '../../storage/store.ts';
import type { AcceptedValue } from '../fields/values.ts';

/**
 * Puts values on a contact.
 * @throws Refused where a unique one is taken
 */
export async function storeValues(
  db: Database,
  companyId: number,
  contactId: number,
  values: readonly AcceptedValue[],
): Promise<void> {
  // In one order, so that no two contacts wait for each other's values.
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
