import {
  type AnyCall,
  byMethod,
  type Calls,
  type OpenApiClient,
  openApiClient,
  type ThrowingCalls,
} from './calls.ts';
import { createDeprecationNotifier, type DeprecationNotice, warnDeprecated } from './deprecation.ts';
import { getPage, type Page, pagesOf } from './pagination.ts';
import { type ChangeContact, readModifyWrite } from './read-modify-write.ts';
import { createTransport, type Fetch } from './transport.ts';
import type { CallArguments, CallOptions, Contact, Item, PagedPath } from './types.ts';

// Public exports from other modules.
export type { DeprecationNotice } from './deprecation.ts';
export type { ErrorCode } from './errors.ts';
export {
  canSucceedLater,
  NoResponseError,
  ParleyError,
  UnexpectedResponseError,
} from './errors.ts';
export type { Page } from './pagination.ts';
export type { ChangeContact, Conflict } from './read-modify-write.ts';
export type { Fetch } from './transport.ts';
export type * from './types.ts';

export interface ClientOptions {
  /** URL of the service: scheme, host and the path before `/api/v1`. In a browser, a path such as `/` is enough. */
  baseUrl: string;
  /** A token, or a function that returns the current one. An empty token is not sent. */
  token: string | (() => string | Promise<string>);
  /** Replaces the platform's `fetch`. */
  fetch?: Fetch;
  /** Maximum number of retries of requests that are safe to repeat (default: 3). */
  retries?: number;
  /** Timeout of one attempt in milliseconds (default: 30,000). */
  timeoutMs?: number;
  /** Called once for each deprecated operation (default: a warning on the console). */
  onDeprecated?: (deprecated: DeprecationNotice) => void;
}

export interface ParleyClient extends Calls {
  throwing: ThrowingCalls;
  /**
   * Iterates over the pages of a list, from the page that the options select. Throws error responses.
   * @calls get
   * @headers Link, X-Total-Count
   */
  pages<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<'get', Path>
  ): AsyncGenerator<Page<Item<Path>>>;
  /**
   * Iterates over the items of all pages, from the page that the options select. Throws error responses.
   * @calls get
   * @headers Link
   */
  items<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<'get', Path>
  ): AsyncGenerator<Item<Path>>;
  /**
   * Reads a contact, changes it and writes it. If another client changes the contact meanwhile, this method starts
   * again, up to three times.
   * @param options `shown` is the contact as the user saw it: changes since then are a conflict too
   * @param changed returns the new contact, or undefined to write nothing. After a conflict it is called again, with what
   * the other client changed, so that a user can decide.
   * @returns whether the contact was written; false if `changed` returned undefined
   * @throws ParleyError with code 41201 if another client changed the contact during every attempt
   * @operations GET /api/v1/contacts/{id}, PUT /api/v1/contacts/{id}
   * @headers ETag
   */
  changeContact(id: number, changed: ChangeContact, options?: ChangeOptions): Promise<boolean>;
  /**
   * Returns the options of a list for `useInfiniteQuery` of TanStack Query. Each page has its `items`. The query key begins
   * with `'get'` and the path, as in openapi-react-query.
   * @calls get
   * @headers Link, X-Total-Count
   */
  infinite<Path extends PagedPath>(
    path: Path,
    ...options: CallArguments<'get', Path>
  ): InfiniteQuery<Item<Path>>;
  /** The underlying client of openapi-fetch, for libraries such as openapi-react-query. */
  openapi: OpenApiClient;
}

export interface ChangeOptions {
  signal?: AbortSignal;
  /**
   * The contact as the user saw it. If its `updated_at` has changed since, the first call of your function gets a conflict.
   */
  shown?: Contact;
}

/** Options for `useInfiniteQuery` of TanStack Query. */
export interface InfiniteQuery<One> {
  queryKey: readonly unknown[];
  queryFn: (context: { pageParam: string | undefined; signal: AbortSignal }) => Promise<Page<One>>;
  initialPageParam: string | undefined;
  getNextPageParam: (page: Page<One>) => string | undefined;
}

/**
 * Creates a client whose methods return documented responses. The methods throw NoResponseError if there is no
 * response, UnexpectedResponseError for a response that is not from the service, and an aborted signal's reason.
 * @throws TypeError if `baseUrl`, `token`, `retries` or `timeoutMs` is invalid
 * @reads Error, ErrorCode
 */
export function createClient({
  baseUrl: givenUrl,
  token,
  fetch = (request) => globalThis.fetch(request),
  retries = 3,
  timeoutMs = 30_000,
  onDeprecated = warnDeprecated,
}: ClientOptions): ParleyClient {
  if (typeof givenUrl !== 'string') throw new TypeError(`baseUrl must be a URL, not ${typeof givenUrl}.`);
  if (typeof token !== 'string' && typeof token !== 'function')
    throw new TypeError(`token must be a string, or a function that returns one, not ${typeof token}.`);
  const baseUrl = absolute(givenUrl);
  // The message does not contain the URL, because the URL may contain a password.
  if (/^\w+:\/\/[^/]*@/.test(baseUrl))
    throw new TypeError('baseUrl must not contain a user name. The token is enough.');
  if (!/^https?:\/\/[^/?#]+[^?#]*$/i.test(baseUrl))
    throw new TypeError(`baseUrl must be a URL such as https://parley.example.com, not "${baseUrl}".`);
  if (/\/api\/v1\/?$/.test(baseUrl))
    throw new TypeError('baseUrl must not contain /api/v1, because the paths begin with it.');
  if (!Number.isInteger(retries) || retries < 0 || retries > 100)
    throw new TypeError(`retries must be an integer from 0 to 100, not ${retries}.`);
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
  const call = openapi.request as AnyCall;
  const ask = async (...given: Parameters<AnyCall>) => {
    const { data, error, response } = await call(...given);
    if (error) throw error;
    return { data, response };
  };
  const pages = <Path extends PagedPath>(path: Path, options?: object) =>
    pagesOf<Item<Path>>((here) => ask('get', path, here), options);

  return {
    ...(byMethod(call) as Calls),
    throwing: byMethod(async (...given) => (await ask(...given)).data) as ThrowingCalls,
    pages,
    async *items(path, ...[options]) {
      for await (const { items } of pages(path, options)) yield* items;
    },
    infinite: (path, ...[options]) => ({
      // Not the key of a query for one page, whose data has another shape.
      queryKey: ['get', path, options ?? {}, 'infinite'],
      queryFn: ({ pageParam, signal }) =>
        getPage((here) => ask('get', path, { ...here, signal }), options ?? {}, pageParam),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next,
    }),
    async changeContact(id, changed, { shown, ...options } = {}) {
      const path = '/api/v1/contacts/{id}';
      type Update = CallOptions<'put', typeof path>;
      const params = { path: { id } };
      return readModifyWrite(
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
        shown,
      );
    },
    openapi,
  };
}

/** Returns the absolute URL of a path in a browser; any other text unchanged. */
const absolute = (url: string): string =>
  url.startsWith('/') && globalThis.location ? new URL(url, globalThis.location.origin).href : url;
