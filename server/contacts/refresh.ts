import { forgetSearchTexts, listContactsWithoutSearchText } from '../storage/contact-search.ts';
import { findContact, updateContact } from '../storage/contacts.ts';
import type { Database, Store } from '../storage/store.ts';
import { searchTextOf } from './search-text.ts';

// A few milliseconds of work, so that nobody waits long behind it.
const atOnce = 200;

/**
 * Takes contacts that have a value of a field out of the search, at once however many they are: a deleted
 * field's values are found no more. `makeMissingSearchTexts` lets them be found by the rest again.
 */
export const forgetValuesOfField = (db: Database, companyId: number, fieldId: number): Promise<void> =>
  forgetSearchTexts(db, companyId, fieldId);

/** Makes the texts of contacts that have none, part by part beside other work: they lost a field, or are of the first schema. */
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
