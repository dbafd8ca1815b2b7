import type { IncomingMessage } from 'node:http';

/**
 * How many lines of a request give a header. Node's own `headersDistinct` would sort out all of them, for each request.
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
