/** The data that requests need: a token with all scopes, and the ID of a conversation. */
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
  /** If the request succeeds, the property `name` of the resource in its `Location` header must equal `text`. */
  stored?: { name: string; text: string } | undefined;
}

/** Formats an HTTP/1.1 request with the correct Content-Length. @param line the method and the path */
export function rawRequest(
  line: string,
  { token, headers = [], body }: { token: string; headers?: readonly string[]; body?: string | undefined },
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

/** Encodes text in UTF-8. @returns each byte as one Latin-1 character */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

export const asJson = 'Content-Type: application/json';
