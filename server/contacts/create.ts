import type { Schemas } from '../contract/handler.ts';
import { invalid, Refused, refuse } from '../errors.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { insertContact, insertFieldValue } from '../storage/contacts.ts';
import { listFields } from '../storage/fields.ts';
import { type Database, UniqueViolation } from '../storage/store.ts';
import { isAnonymous } from './rules.ts';

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
  const id = await insertContact(db, rowOf(body, companyId, now));
  for (const value of accepted) await storeValue(db, companyId, id, value);
  return id;
}

function rowOf(body: Schemas['ContactCreate'], companyId: number, now: number) {
  const { first_name, last_name, email_address, telephone_number, integration, ...rest } = body;
  const { from_integration, from_whatsapp, from_email, fields: _stored, ...unread } = rest;
  // Does not compile where the contract takes a property that is not stored here.
  unread satisfies Record<string, never>;
  return {
    company_id: companyId,
    first_name: first_name ?? null,
    last_name: last_name ?? null,
    email_address: email_address ?? null,
    telephone_number: telephone_number ?? null,
    avatar: null,
    status: 'offline',
    from_integration: from_integration ? 1 : 0,
    integration: integration ?? null,
    from_whatsapp: from_whatsapp ? 1 : 0,
    from_email: from_email ? 1 : 0,
    is_anonymous: isAnonymous(body) ? 1 : 0,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  } as const;
}

async function storeValue(
  db: Database,
  companyId: number,
  contactId: number,
  given: AcceptedValue,
): Promise<void> {
  const { fieldId, value, uniqueDigest, index } = given;
  try {
    await insertFieldValue(db, { companyId, contactId, fieldId, value, uniqueDigest });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    refuse('uniqueValueTaken', {
      message: `Another contact has this value of the unique field ${fieldId}.`,
      fields: `/fields/${index}/value`,
    });
  }
}
