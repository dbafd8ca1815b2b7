import type { Schemas } from '../../own-contract/handler.ts';
import type { AcceptedValue } from '../fields/values.ts';
import { searchTextOf } from './search-text.ts';

/** The properties of a contact that create and update requests write. */
export type ContactProperties = Required<Schemas['ContactCreate']>;

/**
 * Separates the `ContactProperties` of a contact from its other properties. Missing properties become null, missing
 * flags false.
 * @returns the properties that create and update requests write, and the remaining ones
 */
export function readContact<Contact extends Schemas['ContactCreate']>({
  first_name = null,
  last_name = null,
  email_address = null,
  telephone_number = null,
  integration = null,
  from_integration = false,
  from_whatsapp = false,
  from_email = false,
  fields = [],
  ...remaining
}: Contact) {
  const texts = { first_name, last_name, email_address, telephone_number, integration };
  const properties: ContactProperties = { ...texts, from_integration, from_whatsapp, from_email, fields };
  return [properties, remaining] as const;
}

/** Returns a new contact with the default values of missing properties. */
export const withDefaults = (contact: Schemas['ContactCreate']): ContactProperties => readContact(contact)[0];

/** Whether a contact has no name, e-mail address or telephone number (D12). Empty strings count as missing (D55). */
const isAnonymous = (contact: ContactProperties): boolean =>
  ![contact.first_name, contact.last_name, contact.email_address, contact.telephone_number].some(Boolean);

type SearchableProperties = Pick<
  ContactProperties,
  'first_name' | 'last_name' | 'email_address' | 'telephone_number'
>;

/** Returns the search text of a contact, made from its searchable properties and its values (D21). */
export const contactSearchText = (
  { first_name, last_name, email_address, telephone_number }: SearchableProperties,
  values: readonly { value: string }[],
): string =>
  searchTextOf([first_name, last_name, email_address, telephone_number, ...values.map(({ value }) => value)]);

/** Returns the columns that create and update requests write. */
export function writtenColumns(contact: ContactProperties, values: readonly AcceptedValue[]) {
  const { fields: _stored, from_integration, from_whatsapp, from_email, ...texts } = contact;
  return {
    ...texts,
    from_integration: from_integration ? 1 : 0,
    from_whatsapp: from_whatsapp ? 1 : 0,
    from_email: from_email ? 1 : 0,
    is_anonymous: isAnonymous(contact) ? 1 : 0,
    search_text: contactSearchText(contact, values),
  } as const;
}
