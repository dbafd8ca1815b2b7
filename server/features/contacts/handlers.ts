import { errorResponse } from '../../errors.ts';
import { entityTag } from '../../own-contract/entity-tag.ts';
import { done, pathOf, pathTo, type ResponseTo, readBody } from '../../own-contract/handler.ts';
import { pageOf, parseDateRange, prefersTotalCount, windowOf } from '../../own-contract/pagination.ts';
import {
  countMatches,
  findContact,
  listContactRows as listRows,
  searchContactRows as searchRows,
} from '../../storage/queries/contacts.ts';
import { countRows } from '../../storage/queries/lists.ts';
import { SearchTooLong } from '../../storage/search.ts';
import type { ApiHandler } from '../api-handler.ts';
import { recordChange } from '../audit/record-change.ts';
import { readContact } from './columns.ts';
import { addContact, contactGroup } from './create.ts';
import { presentContact } from './present.ts';
import { parseSearchQuery } from './search-text.ts';
import { applyContactUpdate, readContactUpdate } from './update.ts';
import { nameHolderOfTakenValue } from './values.ts';

export const listContacts: ApiHandler<'listContacts'> = async (
  input,
  { store },
): Promise<ResponseTo<'listContacts'>> => {
  const filter = {
    companyId: input.caller.companyId,
    includeAnonymous: input.query.include_anonymous,
    ...parseDateRange(input.query),
  };
  const counted = prefersTotalCount(input.headers.prefer);
  // A page with neither a date range nor a total is one statement. Several statements need a snapshot to be consistent.
  const isOfAnyTime = filter.from === undefined && filter.to === undefined;
  const read = counted || !isOfAnyTime ? store.readSnapshot : store.read;
  const { rows, total } = await read(async (db) => ({
    // One extra row shows whether there is a next page.
    rows: await listRows(db, { ...filter, order: input.query.order, ...windowOf(input.query) }),
    total: counted ? await countRows(db, 'contacts', filter) : undefined,
  }));
  const { shown, headers } = pageOf(pathOf('listContacts'), input.query, rows, { idOf, total });
  return { status: 200, headers, body: shown.map(presentContact) };
};

export const searchContacts: ApiHandler<'searchContacts'> = async (
  { query, headers, caller },
  { store },
): Promise<ResponseTo<'searchContacts'>> => {
  const search = { companyId: caller.companyId, anyOf: parseSearchQuery(query.query) };
  const counted = prefersTotalCount(headers.prefer);
  const found = await store
    .read(async (db) => ({
      rows: await searchRows(db, { ...search, ...windowOf(query) }),
      total: counted ? await countMatches(db, search) : undefined,
    }))
    .catch((error: unknown) => {
      if (error instanceof SearchTooLong) return undefined;
      throw error;
    });
  if (!found) return tooLong;
  const { rows, total } = found;
  const page = pageOf(pathOf('searchContacts'), query, rows, { idOf, total });
  return { status: 200, headers: page.headers, body: page.shown.map(presentContact) };
};

const idOf = ({ contact }: { contact: { id: number } }): number => contact.id;

const tooLong = errorResponse('unavailable', {
  message: 'This search takes too long. Search for longer words, or for more of them.',
  fields: 'query/query',
  headers: { 'Retry-After': '1' },
});

export const getContact: ApiHandler<'getContact'> = async (
  { path, caller },
  { store },
): Promise<ResponseTo<'getContact'>> => {
  const found = await store.read((db) => findContact(db, caller.companyId, path.id));
  if (!found)
    return errorResponse('notFound', { message: `There is no contact ${path.id}.`, fields: 'path/id' });
  return { status: 200, body: presentContact(found) };
};

export const createContact: ApiHandler<'createContact'> = (
  input,
  { store, runIdempotent, now },
): Promise<ResponseTo<'createContact'>> => {
  const { body, caller, headers } = input;
  const { companyId, scopes } = caller;
  const contact = readBody(body, readContact);
  const key = headers['idempotency-key'];
  const request = {
    caller,
    key,
    operation: 'createContact',
    body,
    group: contactGroup(companyId),
  };
  return nameHolderOfTakenValue(store, scopes, () =>
    runIdempotent(request, async (db) => {
      const id = await addContact(db, companyId, contact, now, (created, at) =>
        recordChange(db, input, 'createContact', created, at),
      );
      return { status: 201, headers: { Location: pathTo('getContact', id) }, body: { id } };
    }),
  );
};

export const updateContact: ApiHandler<'updateContact'> = async (
  input,
  { store, now },
): Promise<ResponseTo<'updateContact'>> => {
  const { path, body, caller, headers } = input;
  const contact = readBody(body, readContactUpdate);
  const { companyId, scopes } = caller;
  const change = { companyId, id: path.id, contact, ifMatch: headers['if-match'] };
  const updated = await nameHolderOfTakenValue(store, scopes, () =>
    store.write(async (db) => {
      const result = await applyContactUpdate(db, change, now);
      if (!('errorName' in result)) await recordChange(db, input, 'updateContact', path.id, now());
      return result;
    }, caller),
  );
  if ('errorName' in updated) return updated;
  return {
    status: 200,
    headers: { ETag: entityTag(JSON.stringify(updated)) },
    body: done(`Contact ${path.id} was updated.`),
  };
};
