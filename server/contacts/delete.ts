import { missing } from '../errors.ts';
import { publish } from '../events/publish.ts';
import { findContact, updateContact } from '../storage/contacts.ts';
import { freeValuesOfContact } from '../storage/fields.ts';
import type { Database } from '../storage/store.ts';
import { presentContact } from './present.ts';

/**
 * Hides a contact everywhere and frees what it claimed (D39); its conversations stay (D57).
 * @param now milliseconds since 1970
 * @throws Refused where there is no such contact
 */
export async function deleteContact(db: Database, companyId: number, id: number, now: number): Promise<void> {
  const found = await findContact(db, companyId, id);
  if (!found) throw missing(companyId, 'contact', id);
  await freeValuesOfContact(db, companyId, id);
  await updateContact(db, companyId, id, { deleted_at: now, updated_at: now });
  const last = presentContact({ ...found, contact: { ...found.contact, updated_at: now } });
  await publish(db, { companyId, type: 'contact.deleted', data: async () => last, now });
}
