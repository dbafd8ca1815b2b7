import { type IncomingHttpHeaders, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type OperationId, operations } from '../../generated/operations.ts';

/** A parsed response. */
export interface ApiReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test.
  body: any;
  text: string;
}

export interface ApiRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  body?: unknown;
}

type RequestHeaders = Record<string, string>;

/** The arguments of a method for an operation: the ID in its path, then the body or the query, then headers. */
type Arguments<Id extends OperationId> = [
  ...((typeof operations)[Id]['path'] extends `${string}{${string}` ? [id: number | string] : []),
  ...((typeof operations)[Id]['method'] extends 'post' | 'put' ? [body: unknown] : [query?: string]),
  headers?: RequestHeaders,
];

type OperationMethods = { [Id in OperationId]: (...given: Arguments<Id>) => Promise<ApiReply> };

/** A client of the API with a method for each operation. */
export interface ApiClient extends Omit<OperationMethods, 'searchContacts'> {
  base: string;
  send: (path: string, request?: ApiRequest) => Promise<ApiReply>;
  searchContacts: (query: string, more?: string, headers?: RequestHeaders) => Promise<ApiReply>;
}

/** Creates a client of the API. @param ask sends each request (default: `fetch`) */
export function createApiClient(base: string, token?: string, ask = fetch): ApiClient {
  const send = async (
    path: string,
    { method = 'GET', headers = {}, body }: ApiRequest = {},
  ): Promise<ApiReply> => {
    const raw = typeof body === 'string' || body instanceof Uint8Array ? body : undefined;
    const response = await ask(base + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
    } as RequestInit);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text), text };
  };
  const methods = Object.fromEntries(
    Object.entries(operations).map(([id, { method, path }]) => [id, methodOf(send, method, path)]),
  ) as OperationMethods;
  return {
    ...methods,
    base,
    send,
    searchContacts: (query, more = '', headers = {}) =>
      methods.searchContacts(`?query=${encodeURIComponent(query)}${more}`, headers),
  };
}

const methodOf =
  (send: ApiClient['send'], method: string, path: string) =>
  (...given: unknown[]): Promise<ApiReply> => {
    const id = path.includes('{') ? String(given.shift()) : '';
    const [content, headers] = given as [unknown, RequestHeaders?];
    const isBody = ['post', 'put'].includes(method);
    return send(path.replace(/\{\w+\}/, id) + (isBody ? '' : (content ?? '')), {
      method: method.toUpperCase(),
      ...(isBody && content !== undefined ? { body: content } : {}),
      ...(headers ? { headers } : {}),
    });
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Sent {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
}

/** Sends a request with the target and the headers as they are, which `fetch` would change. @param base the server's URL */
export function sendUnchanged(base: string, method: string, path: string, { headers = {}, body }: Sent = {}) {
  const { hostname, port } = new URL(base);
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    request({ hostname, port, method, path, headers, agent: false }, async (response) => {
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, headers: received, text: await readText(response) });
    })
      .once('error', reject)
      .end(body);
  });
}
