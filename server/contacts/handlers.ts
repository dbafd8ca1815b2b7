import { type Handler, pathOf } from '../contract/handler.ts';
import { pageLinks, prefersCount } from '../contract/paging.ts';
import { refusal } from '../errors.ts';
import { once } from '../idempotency/once.ts';
import { countContacts, findContact, listContacts as listRows } from '../storage/contacts.ts';
import type { Store } from '../storage/store.ts';
import { addContact } from './create.ts';
import { etagOf, presentContact } from './present.ts';
import { filterOf } from './rules.ts';

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
      Link: pageLinks(pathOf('listContacts'), input.query, rows.length > per_page),
      ...(total === undefined ? {} : { 'X-Total-Count': total, 'Preference-Applied': 'count=exact' }),
    },
    body: rows.slice(0, per_page).map(presentContact),
  };
};

export const getContact: Handler<'getContact', Needs> = async ({ path, caller }, { store }) => {
  const found = await store.read((db) => findContact(db, caller.companyId, path.id));
  if (!found)
    return refusal('noSuchResource', { message: `There is no contact ${path.id}.`, fields: 'path/id' });
  const body = presentContact(found);
  return { status: 200, headers: { ETag: etagOf(body) }, body };
};

export const createContact: Handler<'createContact', Needs> = ({ body, caller, headers }, { store, now }) => {
  const { companyId } = caller;
  const request = { companyId, key: headers['idempotency-key'], operation: 'createContact', body };
  return once(store, now(), request, async (db) => {
    const id = await addContact(db, companyId, body, now());
    const location = pathOf('getContact').replace('{id}', String(id));
    return { status: 201, headers: { Location: location }, body: { id } };
  });
};
