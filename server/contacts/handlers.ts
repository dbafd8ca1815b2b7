import type { Handler, Schemas } from '../contract/handler.ts';
import { pageLinks, prefersCount } from '../contract/paging.ts';
import { invalid, Refused, refusal, refuse } from '../errors.ts';
import { type AcceptedValue, acceptValues } from '../fields/values.ts';
import { once } from '../idempotency/once.ts';
import {
  countContacts,
  findContact,
  insertContact,
  insertFieldValue,
  listContacts as listRows,
} from '../storage/contacts.ts';
import { listFields } from '../storage/fields.ts';
import { type Database, type Store, UniqueViolation } from '../storage/store.ts';
import { etagOf, presentContact } from './present.ts';
import { filterOf, isAnonymous } from './rules.ts';

interface Needs {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
}

export const listContacts: Handler<'listContacts', Needs> = async (input, { store }) => {
  const { page, per_page, order } = input.query;
  const filter = filterOf(input);
  const counted = prefersCount(input.headers.prefer);
  const { rows, total } = await store.read(async (db) => ({
    // One more than the page holds tells whether there is another.
    rows: await listRows(db, { ...filter, order, limit: per_page + 1, offset: page * per_page }),
    total: counted ? await countContacts(db, filter) : undefined,
  }));
  return {
    status: 200,
    headers: {
      Link: pageLinks('/api/v1/contacts', input.query, rows.length > per_page),
      ...(total === undefined ? {} : { 'X-Total-Count': total, 'Preference-Applied': 'count=exact' }),
    },
    body: rows.slice(0, per_page).map(presentContact),
  };
};

export const getContact: Handler<'getContact', Needs> = async ({ path, caller }, { store }) => {
  const row = await store.read((db) => findContact(db, caller.companyId, path.id));
  if (!row)
    return refusal('noSuchResource', { message: `There is no contact ${path.id}.`, fields: 'path/id' });
  const contact = presentContact(row);
  return { status: 200, headers: { ETag: etagOf(contact) }, body: contact };
};

export const createContact: Handler<'createContact', Needs> = ({ body, caller, headers }, { store, now }) => {
  const { companyId } = caller;
  const request = { companyId, key: headers['idempotency-key'], operation: 'createContact', body };
  return once(store, now(), request, async (db) => {
    const { accepted, problems } = acceptValues(await listFields(db, companyId), body.fields ?? []);
    if (problems.length > 0) throw new Refused(invalid(problems));
    const id = await insertContact(db, rowOf(body, companyId, now()));
    for (const value of accepted) await storeValue(db, companyId, id, value);
    return { status: 201, headers: { Location: `/api/v1/contacts/${id}` }, body: { id } };
  });
};

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
