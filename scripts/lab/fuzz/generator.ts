import type { Prng } from '../../lib/prng.ts';

/** What to attack: a token with all scopes, and IDs. */
export interface FuzzTarget {
  token: string;
  conversationId: number;
}

/** A request, possibly malformed. */
export interface FuzzInput {
  /** The bytes, as Latin-1. */
  bytes: string;
  /** The accepted statuses; `none` is a closed connection without a response. */
  right: readonly (number | 'none')[];
  /** The text that must be stored at the URL in the Location header if the request succeeds. */
  stored?: { name: string; text: string };
}

/** A generator of malformed requests. */
export interface FuzzGenerator {
  name: string;
  /** Description. */
  what: string;
  attempt(prng: Prng, target: FuzzTarget): FuzzInput;
}

/** Formats a well-formed request. */
export function rawRequest(
  line: string,
  { token, headers = [], body }: { token: string; headers?: readonly string[]; body?: string },
): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  return [
    `${line} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    ...headers,
    ...length,
    '',
    body ?? '',
  ].join('\r\n');
}

/** Encodes text in UTF-8, one character per byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

export const asJson = 'Content-Type: application/json';
