import { listContactsWithField, listContactsWithoutSearchText } from '../storage/contact-search.ts';
import { findContact, updateContact } from '../storage/contacts.ts';
import type { Database, Store } from '../storage/store.ts';
import { searchTextOf } from './search-text.ts';

// A few milliseconds of work, so that nobody waits long behind it.
const atOnce = 200;

/** Makes the texts of contacts anew that had a value of a field: a deleted one's values are found no more. */
export async function refreshContactsWithField(
  db: Database,
  companyId: number,
  fieldId: number,
): Promise<void> {
  let after = 0;
  for (;;) {
    const ids = await listContactsWithField(db, companyId, fieldId, { after, limit: atOnce });
    for (const id of ids) await refreshContact(db, companyId, id);
    after = ids.at(-1) ?? 0;
    if (ids.length < atOnce) return;
  }
}

/** Makes the texts of contacts that were stored before there was a search, part by part beside other work. */
export async function makeMissingSearchTexts(store: Store): Promise<number> {
  let made = 0;
  for (;;) {
    const part = await store.write(async (db) => {
      const contacts = await listContactsWithoutSearchText(db, atOnce);
      for (const { company_id, id } of contacts) await refreshContact(db, company_id, id);
      return contacts.length;
    });
    made += part;
    if (part < atOnce) return made;
  }
}

async function refreshContact(db: Database, companyId: number, id: number): Promise<void> {
  const found = await findContact(db, companyId, id);
  if (!found) return;
  const { first_name, last_name, email_address, telephone_number } = found.contact;
  const values = found.values.map(({ value }) => value);
  await updateContact(db, companyId, id, {
    search_text: searchTextOf([first_name, last_name, email_address, telephone_number, ...values]),
  });
}
