import type { IncomingMessage } from 'node:http';

/**
 * Counts the lines of a request that carry a header. Node's `headersDistinct` would sort all headers of every
 * request.
 * @param name in lower case
 */
export function countFieldLines({ rawHeaders }: IncomingMessage, name: string): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) lines += 1;
  }
  return lines;
}
