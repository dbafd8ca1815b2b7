import {
  anyCall,
  byMethod,
  type Calls,
  type OpenApiClient,
  openApiClient,
  type ThrowingCalls,
  throwOnError,
} from './calls.ts';
import { createDeprecationNotifier, type DeprecationNotice, warnDeprecated } from './deprecation.ts';
import { type Page, pagesOf } from './pagination.ts';
import { readModifyWrite } from './read-modify-write.ts';
import { createTransport, type Fetch } from './transport.ts';
import type { CallArguments, CallOptions, Contact, ContactUpdate, Item, PagedPath } from './types.ts';

// The front door of a package: what its callers name must come from here.
export type { DeprecationNotice as Deprecated } from './deprecation.ts';
export {
  NoResponseError,
  ParleyError,
  UnexpectedResponseError,
} from './errors.ts';
export type { Page } from './pagination.ts';
export type { Fetch } from './transport.ts';
export type * from './types.ts';

export interface ClientOptions {
  /** Where the service is, with the scheme; what stands before `/api/v1`. */
  baseUrl: string;
  /** A token, or a function that gives the one of the moment. Where it is empty, none is sent. */
  token: string | (() => string | Promise<string>);
  /** Instead of the platform's. */
  fetch?: Fetch;
  /** How often a request is repeated at most where that is safe; 3 unless said. */
  retries?: number;
  /** For one attempt, in milliseconds; 30,000 unless said. */
  timeoutMs?: number;
  /** Called once for each operation of which the service says that it goes; it warns on the console unless said. */
  onDeprecated?: (deprecated: DeprecationNotice) => void;
}

export interface ParleyClient extends Calls {
  throwing: ThrowingCalls;
  /** One page after the other, beginning with the one that the options name. Refusals are thrown. */
  pages<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<'get', Path>
  ): AsyncGenerator<Page<Item<Path>>>;
  /** The same without the pages: what is on them. */
  items<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<'get', Path>
  ): AsyncGenerator<Item<Path>>;
  /**
   * Reads a contact, changes it and writes it; where somebody else was faster, anew, up to three times.
   * @param changed gives what the contact shall be; it may be called more than once
   * @throws ParleyError, with 41201 where others were faster each time
   */
  changeContact(
    id: number,
    changed: (contact: Contact) => ContactUpdate | Promise<ContactUpdate>,
    options?: { signal?: AbortSignal },
  ): Promise<void>;
  /** The client of openapi-fetch below, for what builds upon it, such as openapi-react-query. */
  openapi: OpenApiClient;
}

/**
 * A client of the service. What the contract documents comes back as a value. Thrown is what it cannot know: that
 * there was no answer (`NoResponseError`), or one that is not the service's (`UnexpectedResponseError`); and the reason of a signal that
 * has ended a call.
 * @throws TypeError where baseUrl is none, or a number is none of its kind
 */
export function createClient({
  baseUrl,
  token,
  fetch = (request) => globalThis.fetch(request),
  retries = 3,
  timeoutMs = 30_000,
  onDeprecated = warnDeprecated,
}: ClientOptions): ParleyClient {
  // Not repeated where it may hold a password.
  if (/^\w+:\/\/[^/]*@/.test(baseUrl))
    throw new TypeError('baseUrl must be without a user name: a token is all it needs.');
  if (!/^https?:\/\/[^/?#]+[^?#]*$/i.test(baseUrl))
    throw new TypeError(`baseUrl must be an address such as https://parley.example.com, not "${baseUrl}".`);
  if (/\/api\/v1\/?$/.test(baseUrl))
    throw new TypeError('baseUrl ends before /api/v1: the paths begin with it.');
  if (!Number.isInteger(retries) || retries < 0 || retries > 100)
    throw new TypeError(`retries must be a whole number from 0 to 100, not ${retries}.`);
  if (!(timeoutMs >= 1 && timeoutMs <= 2 ** 31 - 1))
    throw new TypeError(
      `timeoutMs must be a number of milliseconds from 1 to ${2 ** 31 - 1}, not ${timeoutMs}.`,
    );
  const openapi = openApiClient(baseUrl, createTransport({ fetch, token, retries, timeoutMs }));
  const watch = createDeprecationNotifier(onDeprecated);
  openapi.use({
    onResponse: ({ request, schemaPath, response }) =>
      watch(`${request.method} ${schemaPath}`, response.headers),
  });
  const call = anyCall(openapi);
  const ask = throwOnError(call);
  const pages = <Path extends PagedPath>(path: Path, options?: object) =>
    pagesOf<Item<Path>>((here) => ask('get', path, here), options);

  return {
    ...(byMethod(call) as Calls),
    throwing: byMethod(async (...given) => (await ask(...given)).data) as ThrowingCalls,
    pages,
    async *items(path, ...[options]) {
      for await (const { items } of pages(path, options)) yield* items;
    },
    async changeContact(id, changed, options) {
      const path = '/api/v1/contacts/{id}';
      type Update = CallOptions<'put', typeof path>;
      const params = { path: { id } };
      await readModifyWrite(
        {
          read: () => ask('get', path, { ...options, params }),
          write: (body, ifMatch) =>
            ask('put', path, {
              ...options,
              params: { ...params, header: { 'If-Match': ifMatch } },
              body,
            } satisfies Update),
        },
        changed,
      );
    },
    openapi,
  };
}
