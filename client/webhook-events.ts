import type { FullEvents, ShortEvents } from '../generated/events.js';

/** An event with its full payload, as sent by POST and PUT. */
export type FullEvent = FullEvents[keyof FullEvents];

/** An event with its entity's ID alone, as sent by GET and DELETE. */
export type ShortEvent = ShortEvents[keyof ShortEvents];

export type EventType = FullEvent['type'];

/**
 * A verified event. Its `type` determines `data`. Deliveries of the same event have the same `id`; an event may
 * arrive more than once.
 */
export type ReceivedEvent =
  | { id: string; form: 'full'; event: FullEvent }
  | { id: string; form: 'short'; event: ShortEvent };

/** The event in a request: in the body, or in the query if there is no body. */
export interface SignedPayload {
  form: 'full' | 'short';
  /** The signed JSON. */
  payload: string;
}

/** Returns the event's JSON before verification; undefined if there is none. */
export function extractPayload(body: string, url: string): SignedPayload | undefined {
  if (body !== '') return { form: 'full', payload: body };
  const query = /\?([^#]*)/.exec(url)?.[1];
  const inQuery = new URLSearchParams(query).get('payload');
  const payload = inQuery === null ? undefined : decodeBase64Text(inQuery);
  return payload === undefined ? undefined : { form: 'short', payload };
}

/** Decodes base64 in either alphabet. Returns undefined if it is invalid, or not UTF-8. */
function decodeBase64Text(encoded: string): string | undefined {
  const bytes = decodeBase64(encoded);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes base64 in either alphabet, padded or not. Returns undefined if it is invalid. */
export function decodeBase64(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
