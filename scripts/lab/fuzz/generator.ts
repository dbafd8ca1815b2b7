import type { Prng } from '../../lib/prng.ts';

/** What an attacker of the protocol knows: a token that may do everything, and something to aim at. */
export interface FuzzTarget {
  token: string;
  conversationId: number;
}

/** One request, or what pretends to be one. */
export interface FuzzInput {
  /** As it goes over the wire, in Latin-1. */
  bytes: string;
  /** Which statuses are right. None stands for a connection that is closed without an answer. */
  right: readonly (number | 'none')[];
  /** Where it succeeds: what must be found, exactly, under the address in its Location. */
  stored?: { name: string; text: string };
}

/** One way of abusing the protocol. */
export interface FuzzGenerator {
  name: string;
  /** What is tried. */
  what: string;
  attempt(prng: Prng, target: FuzzTarget): FuzzInput;
}

/** A whole request. */
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

/** Text as the bytes of its UTF-8, each of them one character. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

export const asJson = 'Content-Type: application/json';
