import type { Input, Schemas } from '../contract/handler.ts';
import { momentOf } from '../contract/timestamp.ts';
import type { Problem } from '../errors.ts';
import type { ContactFilter } from '../storage/contacts.ts';

/** Neither a name nor a way to be reached (D12); an empty string says nothing (D55). */
export const isAnonymous = (contact: Schemas['ContactCreate']): boolean =>
  ![contact.first_name, contact.last_name, contact.email_address, contact.telephone_number].some(Boolean);

/** A range that ends before it begins can only be a mistake (D18). */
export function checkDateRange({ query }: { query: Record<string, unknown> }): Problem[] {
  const { date_from: from, date_to: to } = query;
  if (typeof from !== 'string' || typeof to !== 'string' || momentOf(from) <= momentOf(to)) return [];
  return [
    { field: 'query/date_from', message: 'is after date_to' },
    { field: 'query/date_to', message: 'is before date_from' },
  ];
}

export function filterOf({ query, caller }: Input<'listContacts'>): ContactFilter {
  return {
    companyId: caller.companyId,
    includeAnonymous: query.include_anonymous,
    from: query.date_from === undefined ? undefined : momentOf(query.date_from),
    to: query.date_to === undefined ? undefined : momentOf(query.date_to),
  };
}
