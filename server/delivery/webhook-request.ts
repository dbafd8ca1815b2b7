import type { KeyObject } from 'node:crypto';
import { httpMethodOf } from '../contract/constants.ts';
import { toShortForm } from '../contract/events.ts';
import type { Schemas } from '../contract/handler.ts';
import { signatures } from './signature.ts';

/** A request that carries an event. */
export interface WebhookRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** What is to be sent to where. */
export interface WebhookMessage {
  id: string;
  /** The event in its full form, as JSON. */
  payload: string;
  webhook: { verb_id: Schemas['WebhookVerbId']; url: string };
  /** What it is signed with, the newest first. */
  keys: readonly KeyObject[];
}

/** The name of a delivery, the same at each attempt. */
export const messageId = (webhookId: number, sequence: number | string): string =>
  `msg_${webhookId}_${sequence}`;

/**
 * The request that a message becomes: with a body by POST and PUT, in a parameter by GET and DELETE (D43), signed
 * over the JSON that travels (D44).
 * @param now milliseconds since 1970
 */
export function buildWebhookRequest(
  { id, payload, webhook, keys }: WebhookMessage,
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
  };
  if (bodiless) return { method, url: withParameter(webhook.url, content), headers, body: null };
  return {
    method,
    url: webhook.url,
    headers: { ...headers, 'content-type': 'application/json' },
    body: content,
  };
}

/** The address with one parameter more; what it has already is left as it is written. */
function withParameter(url: string, content: string): string {
  const separator = url.includes('?') ? '&' : '?';
  return `${url}${separator}payload=${Buffer.from(content).toString('base64url')}`;
}
