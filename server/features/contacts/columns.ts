import type { Exact, Schemas } from '../../contract/handler.ts';
import type { AcceptedValue } from '../fields/values.ts';
import { isAnonymous } from './rules.ts';
import { searchTextOf } from './search-text.ts';

/**
 * Returns the columns that creates and updates write. Missing properties become null, missing flags false.
 */
export function writtenColumns<Contact extends Schemas['ContactCreate']>(
  contact: Exact<Contact, Schemas['ContactCreate']>,
  values: readonly AcceptedValue[],
) {
  const {
    first_name = null,
    last_name = null,
    email_address = null,
    telephone_number = null,
    ...rest
  }: Schemas['ContactCreate'] = contact;
  const {
    integration = null,
    from_integration,
    from_whatsapp,
    from_email,
    fields: _stored,
    ...unhandled
  } = rest;
  // Does not compile if the contract accepts a property that is not stored here.
  unhandled satisfies Record<string, never>;
  const texts = [first_name, last_name, email_address, telephone_number];
  return {
    first_name,
    last_name,
    email_address,
    telephone_number,
    integration,
    from_integration: from_integration ? 1 : 0,
    from_whatsapp: from_whatsapp ? 1 : 0,
    from_email: from_email ? 1 : 0,
    is_anonymous: isAnonymous(contact) ? 1 : 0,
    search_text: searchTextOf([...texts, ...values.map(({ value }) => value)]),
  } as const;
}
