import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { OnCleanup } from './temporary-folder.ts';

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

export type ApiClient = ReturnType<typeof createApiClient>;

/** Creates a client of the API. @param ask sends each request (default: `fetch`) */
export function createApiClient(base: string, token?: string, ask = fetch) {
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
  return {
    base,
    send,
    listContacts: (query = '', headers: Record<string, string> = {}) =>
      send(`/api/v1/contacts${query}`, { headers }),
    createContact: (body: unknown, headers: Record<string, string> = {}) =>
      send('/api/v1/contacts', { method: 'POST', body, headers }),
    searchContacts: (query: string, more = '', headers: Record<string, string> = {}) =>
      send(`/api/v1/contacts/search?query=${encodeURIComponent(query)}${more}`, { headers }),
    getContact: (id: number | string) => send(`/api/v1/contacts/${id}`),
    updateContact: (id: number, body: unknown, headers: Record<string, string> = {}) =>
      send(`/api/v1/contacts/${id}`, { method: 'PUT', body, headers }),
    listCustomFields: () => send('/api/v1/fields'),
    listConversations: (query = '', headers: Record<string, string> = {}) =>
      send(`/api/v1/all/conversations${query}`, { headers }),
    getConversation: (id: number, query = '') => send(`/api/v1/conversations/${id}${query}`),
    createMessage: (body: unknown, headers: Record<string, string> = {}) =>
      send('/api/v1/messages', { method: 'POST', body, headers }),
    getMessage: (id: number) => send(`/api/v1/messages/${id}`),
    createWebhook: (body: unknown, headers: Record<string, string> = {}) =>
      send('/api/v1/webhooks', { method: 'POST', body, headers }),
    updateWebhook: (id: number, body: unknown) => send(`/api/v1/webhooks/${id}`, { method: 'PUT', body }),
    deleteWebhook: (id: number) => send(`/api/v1/webhooks/${id}`, { method: 'DELETE' }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Listens on a free port until the end of the test. @returns the base URL */
export async function startListening(server: Server, onCleanup: OnCleanup = onTestFinished): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
