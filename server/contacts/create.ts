import type { Schemas } from '../contract/handler.ts';
import { invalid, Refused } from '../errors.ts';
import { publish } from '../events/publish.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { insertContact } from '../storage/contacts.ts';
import { listFields } from '../storage/fields.ts';
import type { Database } from '../storage/store.ts';
import { shownContact } from './present.ts';
import { isAnonymous } from './rules.ts';
import { searchTextOf } from './search-text.ts';
import { storeValues } from './values.ts';

/**
 * Makes a contact with its values.
 * @param now milliseconds since 1970
 * @returns its id
 * @throws Refused where a value breaks a rule or is taken
 */
export async function addContact(
  db: Database,
  companyId: number,
  body: Schemas['ContactCreate'],
  now: number,
): Promise<number> {
  const { accepted, problems } = acceptValues(await listFields(db, companyId), body.fields ?? []);
  if (problems.length > 0) throw new Refused(invalid(problems));
  const id = await insertContact(db, newContactRow(body, accepted, companyId, now));
  await storeValues(db, companyId, id, accepted);
  await publish(db, {
    companyId,
    type: 'contact.created',
    data: () => shownContact(db, companyId, id),
    now,
  });
  return id;
}

/** The row of a new contact. */
export function newContactRow(
  body: Schemas['ContactCreate'],
  values: readonly AcceptedValue[],
  companyId: number,
  now: number,
) {
  const {
    first_name = null,
    last_name = null,
    email_address = null,
    telephone_number = null,
    ...rest
  } = body;
  const { integration, from_integration, from_whatsapp, from_email, fields: _stored, ...unread } = rest;
  // Does not compile where the contract takes a property that is not stored here.
  unread satisfies Record<string, never>;
  const searched = [
    first_name,
    last_name,
    email_address,
    telephone_number,
    ...values.map(({ value }) => value),
  ];
  return {
    company_id: companyId,
    first_name,
    last_name,
    email_address,
    telephone_number,
    avatar: null,
    status: 'offline',
    from_integration: from_integration ? 1 : 0,
    integration: integration ?? null,
    from_whatsapp: from_whatsapp ? 1 : 0,
    from_email: from_email ? 1 : 0,
    is_anonymous: isAnonymous(body) ? 1 : 0,
    search_text: searchTextOf(searched),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  } as const;
}
