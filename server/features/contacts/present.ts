import type { Schemas } from '../../own-contract/handler.ts';
import { formatTimestamp } from '../../own-contract/timestamp.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import { findContact } from '../../storage/queries/contacts.ts';
import type { Database } from '../../storage/store.ts';
import { presentField } from '../fields/present.ts';

/** Converts a contact to its API representation. */
export function presentContact({ contact, values }: ContactWithValues): Schemas['Contact'] {
  return {
    id: contact.id,
    company_id: contact.company_id,
    first_name: contact.first_name,
    last_name: contact.last_name,
    email_address: contact.email_address,
    telephone_number: contact.telephone_number,
    avatar: contact.avatar,
    created_at: formatTimestamp(contact.created_at),
    updated_at: formatTimestamp(contact.updated_at),
    status: contact.status,
    from_integration: contact.from_integration === 1,
    integration: contact.integration,
    from_whatsapp: contact.from_whatsapp === 1,
    from_email: contact.from_email === 1,
    fields: values.map(({ field, value }) => presentField(field, value)),
  };
}

/** Reads a contact that is not deleted, in its API representation. */
export async function loadPresentedContact(
  db: Database,
  companyId: number,
  id: number,
): Promise<Schemas['Contact']> {
  const found = await findContact(db, companyId, id);
  if (!found) throw new Error(`Contact ${id} does not exist in its own transaction.`);
  return presentContact(found);
}
