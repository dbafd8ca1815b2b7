import {
  type ContactProperties,
  contactDefaults,
  contactProperties,
} from '../../own-contract/contact-properties.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import type { ColumnsOf } from '../../storage/tables/define-table.ts';
import type { AcceptedValue } from '../fields/values.ts';
import { searchTextOf } from './search-text.ts';

/**
 * Separates the `ContactProperties` of a contact from its other properties. Missing ones get their documented defaults.
 * @returns the properties that create and update requests write, and the remaining ones
 */
export function readContact<Contact extends Schemas['ContactCreate']>(contact: Contact) {
  const [, remaining] = splitOff(contact, contactProperties);
  return [withDefaults(contact), remaining] as const;
}

/** Returns the properties of a new contact, with the default values of missing ones. */
export const withDefaults = (contact: Schemas['ContactCreate']): ContactProperties => ({
  ...contactDefaults,
  ...splitOff(contact, contactProperties)[0],
});

/** Whether a contact has no name, e-mail address or telephone number (D12). Empty strings count as missing (D55). */
const isAnonymous = (contact: SearchableProperties): boolean =>
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
export function writtenColumns(
  { fields: _stored, ...contact }: ContactProperties,
  values: readonly AcceptedValue[],
) {
  return {
    ...columnsOf(contact),
    is_anonymous: isAnonymous(contact) ? 1 : 0,
    search_text: contactSearchText(contact, values),
  } as const;
}

/** Converts flags to 0 or 1, as the database stores them. */
export const columnsOf = <Values extends object>(values: Values): ColumnsOf<Values> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  ) as ColumnsOf<Values>;

/**
 * Separates some properties of an object from the others. Names that the object does not have are missing in both.
 * @returns the named properties, and the others
 */
export function splitOff<Whole extends object, Name extends string>(
  whole: Whole,
  names: readonly Name[],
): [Pick<Whole, Extract<keyof Whole, Name>>, Omit<Whole, Name>] {
  const wanted: readonly string[] = names;
  const isNamed = ([name]: [string, unknown]) => wanted.includes(name);
  const entries: [string, unknown][] = Object.entries(whole);
  const pick = (kept: [string, unknown][]): object => Object.fromEntries(kept);
  return [
    pick(entries.filter(isNamed)) as Pick<Whole, Extract<keyof Whole, Name>>,
    pick(entries.filter((each) => !isNamed(each))) as Omit<Whole, Name>,
  ];
}
