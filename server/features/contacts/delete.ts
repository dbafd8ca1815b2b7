import { publish } from '../../delivery/publish.ts';
import { notFoundError } from '../../errors.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { lockFieldDefinitionsShared } from '../../storage/locks.ts';
import { findContactForUpdate } from '../../storage/queries/contacts.ts';
import { updateRow, updateRows } from '../../storage/queries/rows.ts';
import type { Transaction } from '../../storage/store.ts';
import { presentContact } from './present.ts';

/**
 * Deletes a contact (soft delete) and frees its unique values (D39). Its conversations stay (D57).
 * @param now milliseconds since 1970
 * @throws ApiError if the contact does not exist
 */
export async function deleteContact(
  db: Transaction,
  companyId: number,
  id: number,
  now: number,
): Promise<void> {
  await lockFieldDefinitionsShared(db, companyId);
  const found = await findContactForUpdate(db, companyId, id);
  if (!found) throw notFoundError(companyId, 'contact', id);
  const deletedAt = notBefore(found.contact, now);
  const values = { company_id: companyId, contact_id: id };
  await updateRows(db, 'field_values', values, { unique_digest: null });
  await updateRow(db, 'contacts', found.contact, { deleted_at: deletedAt, updated_at: deletedAt });
  const last = presentContact({ ...found, contact: { ...found.contact, updated_at: deletedAt } });
  await publish(db, { companyId, type: 'contact.deleted', data: async () => last, now: deletedAt });
}
