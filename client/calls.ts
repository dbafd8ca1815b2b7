import createFetchClient, { type Client } from 'openapi-fetch';
import { isErrorBody, type NoResponseError, ParleyError, type UnexpectedResponseError } from './errors.ts';
import type { Fetch } from './transport.ts';
import type { CallArguments, CallResult, Data, Method, PathOf, PathsWith } from './types.ts';

/** Calls that throw reject with NoResponseError or UnexpectedResponseError, which hooks return as `error`. */
type Failure = ParleyError | NoResponseError | UnexpectedResponseError;

export type OpenApiClient = Client<PathsWith<Failure>, 'application/json'>;

/** The methods of a client. They return documented error responses as `error`. */
export type Calls = {
  [M in Method as Uppercase<M>]: <Path extends PathOf<M>>(
    path: Path,
    ...options: CallArguments<M, Path>
  ) => Promise<CallResult<M, Path>>;
};

/** The methods of `client.throwing`. They throw documented error responses as a `ParleyError`. */
export type ThrowingCalls = {
  [M in Method as Uppercase<M>]: <Path extends PathOf<M>>(
    path: Path,
    ...options: CallArguments<M, Path>
  ) => Promise<Data<M, Path>>;
};

/** Creates an openapi-fetch client whose `error` is a `ParleyError` instead of the body. */
export function openApiClient(baseUrl: string, fetch: Fetch): OpenApiClient {
  const client: OpenApiClient = createFetchClient({ baseUrl, fetch, redirect: 'manual' });
  return {
    ...client,
    GET: withError(client.GET),
    PUT: withError(client.PUT),
    POST: withError(client.POST),
    DELETE: withError(client.DELETE),
    request: withError(client.request),
  };
}

function withError<Send>(
  send: Send & ((...args: never[]) => Promise<{ error?: unknown; response: Response }>),
): Send {
  const sendAndConvert = async (...args: never[]) => {
    const answer = await send(...args);
    const { error, response } = answer;
    return isErrorBody(response.status, error)
      ? { ...answer, error: new ParleyError(response, error) }
      : answer;
  };
  // The cast is safe: PathsWith already declares `error` as a ParleyError.
  return sendAndConvert as Send;
}

/** The client's generic call. `Calls` and `ThrowingCalls` declare which method, path and options are valid. */
export type AnyCall = (
  method: Method,
  path: string,
  options?: object,
) => Promise<{ data?: unknown; error?: ParleyError; response: Response }>;

/** Creates an object with the methods GET, PUT, POST and DELETE, which all call the given function. */
export const byMethod = <Result>(call: (method: Method, path: string, options?: object) => Result) => ({
  GET: (path: string, options?: object) => call('get', path, options),
  PUT: (path: string, options?: object) => call('put', path, options),
  POST: (path: string, options?: object) => call('post', path, options),
  DELETE: (path: string, options?: object) => call('delete', path, options),
});
