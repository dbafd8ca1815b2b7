import type { FullEvents, ShortEvents } from '../generated/events.js';

/** An event with all of its entity, as POST and PUT carry it. */
export type FullEvent = FullEvents[keyof FullEvents];

/** An event with its entity's number alone, as GET and DELETE carry it. */
export type ShortEvent = ShortEvents[keyof ShortEvents];

export type EventType = FullEvent['type'];

/**
 * What a call of Parley has brought. `type` of the event tells what `data` is; `id` is the same each time that the
 * same event comes, which may be more than once.
 */
export type ReceivedEvent =
  | { id: string; form: 'full'; event: FullEvent }
  | { id: string; form: 'short'; event: ShortEvent };

/** Where a call carries its event: in the body, or, without one, in the query. */
export interface SignedPayload {
  form: 'full' | 'short';
  /** What is signed: JSON. */
  payload: string;
}

/** The event's JSON, not yet believed; undefined where there is none. */
export function extractPayload(body: string, url: string): SignedPayload | undefined {
  if (body !== '') return { form: 'full', payload: body };
  const query = /\?([^#]*)/.exec(url)?.[1];
  const inQuery = new URLSearchParams(query).get('payload');
  const payload = inQuery === null ? undefined : decodeBase64Text(inQuery);
  return payload === undefined ? undefined : { form: 'short', payload };
}

/** Of base64 in either alphabet; undefined where it is not, or no UTF-8. */
function decodeBase64Text(encoded: string): string | undefined {
  const bytes = decodeBase64(encoded);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Of base64 in either alphabet, padded or not; undefined where it is not. */
export function decodeBase64(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
