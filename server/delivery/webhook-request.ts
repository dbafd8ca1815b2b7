import type { KeyObject } from 'node:crypto';
import { toShortForm } from '../own-contract/events.ts';
import type { Schemas } from '../own-contract/handler.ts';
import { httpMethodOf } from '../own-contract/webhook-selectors.ts';
import { signatures } from './signing-keys.ts';

/** An HTTP request that carries an event. */
export interface WebhookRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** Called on the established connection, immediately before the first byte. Returns whether to send the request. */
  mayBeSent?: () => Promise<boolean>;
}

/** The parts of a webhook request. */
export interface WebhookMessage {
  id: string;
  /** The event in its full form, as JSON. */
  payload: string;
  webhook: { verb_id: Schemas['WebhookVerbId']; url: string };
  /** The signing keys, newest first. */
  keys: readonly KeyObject[];
  /** The trace of the event, if there is one. */
  traceparent?: string | null;
}

/** Returns the ID of a delivery, which is the same for all attempts. */
export const messageId = (webhookId: number, sequence: number | string): string =>
  `msg_${webhookId}_${sequence}`;

/**
 * Builds the request of a message. POST and PUT carry the event in the body, GET and DELETE in a query parameter (D43).
 * The signature covers the JSON that is sent (D44).
 * @param now milliseconds since 1970
 */
export function buildWebhookRequest(
  { id, payload, webhook, keys, traceparent = null }: WebhookMessage,
  now: number,
): WebhookRequest {
  const method = httpMethodOf(webhook.verb_id);
  const bodiless = method === 'GET' || method === 'DELETE';
  const content = bodiless ? toShortForm(payload) : payload;
  const seconds = Math.floor(now / 1_000);
  const headers = {
    'user-agent': 'Parley',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures(keys, { id, seconds, content }),
    ...(traceparent === null ? {} : { traceparent }),
  };
  if (bodiless) return { method, url: withParameter(webhook.url, content), headers, body: null };
  return {
    method,
    url: webhook.url,
    headers: { ...headers, 'content-type': 'application/json' },
    body: content,
  };
}

/** Appends a query parameter without changing the rest of the URL. */
function withParameter(url: string, content: string): string {
  const separator = url.includes('?') ? '&' : '?';
  return `${url}${separator}payload=${Buffer.from(content).toString('base64url')}`;
}
