import { notBefore } from '../../contract/timestamp.ts';
import { missing } from '../../errors.ts';
import { publish } from '../../events/publish.ts';
import { keepDefinitions } from '../../storage/locks.ts';
import { holdContact, updateContact } from '../../storage/queries/contacts.ts';
import { freeValuesOfContact } from '../../storage/queries/fields.ts';
import type { Database } from '../../storage/store.ts';
import { presentContact } from './present.ts';

/**
 * Hides a contact everywhere and frees what it claimed (D39); its conversations stay (D57).
 * @param now milliseconds since 1970
 * @throws Refused where there is no such contact
 */
export async function deleteContact(db: Database, companyId: number, id: number, now: number): Promise<void> {
  await keepDefinitions(db, companyId);
  const found = await holdContact(db, companyId, id);
  if (!found) throw missing(companyId, 'contact', id);
  const deletedAt = notBefore(found.contact, now);
  await freeValuesOfContact(db, companyId, id);
  await updateContact(db, companyId, id, { deleted_at: deletedAt, updated_at: deletedAt });
  const last = presentContact({ ...found, contact: { ...found.contact, updated_at: deletedAt } });
  await publish(db, { companyId, type: 'contact.deleted', data: async () => last, now: deletedAt });
}
