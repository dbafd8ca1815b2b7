/**
 * Tests of the types of handlers. Each `@ts-expect-error` marks code that must not compile. If such code compiles, the
 * unused directive is an error, so `npm run typecheck` and `npm test` fail.
 */

import type { handlers } from '../../../generated/handlers.ts';
import type { Handlers } from '../../../scripts/runtime-package/express.ts';
import type { ApiHandler } from '../../../server/features/api-handler.ts';
import { readBody, type Schemas } from '../../../server/own-contract/handler.ts';

declare const contact: Schemas['Contact'];
declare const api: typeof handlers;

// The input is typed: path, query with defaults, headers in lower case, body, caller.
export const input: ApiHandler<'listContacts'> = async ({ query, headers, caller, path, body }) => {
  const page: number = query.page;
  const order: 'asc' | 'desc' = query.order;
  const prefer: string | undefined = headers.prefer;
  const company: number = caller.companyId;
  const nothing: undefined = body;
  // @ts-expect-error without a default a parameter may be absent
  const from: string = query.date_from;
  // @ts-expect-error this operation has no path parameter
  const id = path.id;
  return {
    status: 200,
    headers: { Link: `${page}${order}${prefer}${company}${nothing}${from}${id}` },
    body: [contact],
  };
};

export const validHandler: ApiHandler<'getContact'> = async ({ path }) => {
  const id: number = path.id;
  return { status: 200, headers: { ETag: `"${id}"` }, body: contact };
};

const { listCustomFields: _missing, ...incomplete } = api;
// @ts-expect-error a handler is missing
export const missingHandler: typeof handlers = incomplete;

// @ts-expect-error 204 is not documented
export const undocumentedStatus: ApiHandler<'getContact'> = async () => ({ status: 204 });

// @ts-expect-error a property of the body is missing
export const wrongBody: ApiHandler<'createContact'> = async () => ({
  status: 201,
  headers: { Location: '/api/v1/contacts/1' },
  body: {},
});

// @ts-expect-error the body belongs to another status
export const bodyOfAnotherStatus: ApiHandler<'getContact'> = async () => ({
  status: 404,
  body: contact,
});

// @ts-expect-error a required header is missing
export const missingHeader: ApiHandler<'createContact'> = async () => ({
  status: 201,
  body: { id: 1 },
});

// @ts-expect-error the header exists, but is not a string
export const wrongHeader: ApiHandler<'createContact'> = async () => ({
  status: 201,
  headers: { Location: 7 },
  body: { id: 1 },
});

// @ts-expect-error this operation documents no 404
export const undocumentedRefusal: ApiHandler<'listContacts'> = async () => ({
  errorName: 'notFound',
  status: 404,
  message: '',
  fields: '',
  headers: {},
});

declare const created: Awaited<ReturnType<ApiHandler<'createMessage'>>>;

export const readsWholeBody: ApiHandler<'createMessage'> = async ({ body }) => {
  const payload: string = readBody(
    body,
    ({ payload, conversation_id: _conversation, type: _type, user_id: _user, ...remaining }) =>
      [payload, remaining] as const,
  );
  return payload ? created : created;
};

export const ignoresProperty: ApiHandler<'createMessage'> = async ({ body }) => {
  const payload = readBody(
    body,
    ({ payload, conversation_id: _conversation, type: _type, ...remaining }) =>
      // @ts-expect-error nothing reads `user_id`
      [payload, remaining] as const,
  );
  return payload ? created : created;
};

export const readsBodyDirectly: ApiHandler<'createMessage'> = async ({ body }) => {
  // @ts-expect-error only `readBody` gives access to the properties
  const { payload } = body;
  return payload ? created : created;
};

interface NoteTypes {
  getNote: {
    responses: {
      200: {
        headers: { 'X-Request-Id': string; ETag: string; RateLimit: string };
        content: { 'application/json': string };
      };
    };
  };
}
type NoteTable = { getNote: { defaults: readonly []; security: readonly [] } };

export const allHeaders: Handlers<NoteTypes, NoteTable> = {
  getNote: async () => ({
    status: 200,
    headers: { ETag: '"1"', RateLimit: 'r=1', Vary: 'Accept' },
    body: 'Buy milk',
  }),
};

export const suppliedHeader: Handlers<NoteTypes, NoteTable, undefined, 'RateLimit'> = {
  getNote: async () => ({ status: 200, headers: { ETag: '"1"' }, body: 'Buy milk' }),
};

export const missingTag: Handlers<NoteTypes, NoteTable, undefined, 'RateLimit'> = {
  // @ts-expect-error nothing supplies the ETag
  getNote: async () => ({ status: 200, body: 'Buy milk' }),
};

export const wrongGeneralHeader: Handlers<NoteTypes, NoteTable, undefined, 'RateLimit'> = {
  // @ts-expect-error the header needs no documentation, but is not a number
  getNote: async () => ({ status: 200, headers: { ETag: '"1"', Vary: 0 }, body: 'Buy milk' }),
};
