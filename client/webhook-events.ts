import type { FullEvents, ShortEvents } from '../generated/events.js';

/** An event with its full payload, as sent in POST and PUT requests. */
export type FullEvent = FullEvents[keyof FullEvents];

/** An event with only the ID of its entity, as sent in GET and DELETE requests. */
export type ShortEvent = ShortEvents[keyof ShortEvents];

export type EventType = FullEvent['type'];

/**
 * A verified event. `event.type` determines the type of `event.data`. A webhook may receive an event more than once,
 * with the same `id` each time.
 */
export type ReceivedEvent =
  | { id: string; form: 'full'; event: FullEvent }
  | { id: string; form: 'short'; event: ShortEvent }
  | { id: string; form: 'unknown'; event: UnknownEvent };

/** An authentic event of a type that is newer than this client. Respond with 2xx, or the service repeats it. */
export interface UnknownEvent {
  type: string;
  [property: string]: unknown;
}

/** The event in a request. It is in the body, or in the query if the body is empty. */
export interface SignedPayload {
  form: 'full' | 'short';
  /** The signed JSON. */
  payload: string;
}

/** Returns the unverified JSON of the event; undefined if the request has none. */
export function extractPayload(body: string, url: string): SignedPayload | undefined {
  if (body !== '') return { form: 'full', payload: body };
  const query = /\?([^#]*)/.exec(url)?.[1];
  const inQuery = new URLSearchParams(query).get('payload');
  const payload = inQuery === null ? undefined : decodeBase64Text(inQuery);
  return payload === undefined ? undefined : { form: 'short', payload };
}

/** Decodes base64 or base64url to text. Returns undefined if the input is invalid, or not UTF-8. */
function decodeBase64Text(encoded: string): string | undefined {
  const bytes = decodeBase64(encoded);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes base64 or base64url, padded or not. Returns undefined if the input is invalid. */
export function decodeBase64(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
