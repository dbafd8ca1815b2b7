import type { RequestHead } from './exchange.ts';

/**
 * Counts the field lines of a request that have a given name. Node's `headersDistinct` would collect all headers of
 * the request.
 * @param name the header's name in lower case
 */
export function countFieldLines({ rawHeaders }: RequestHead, name: string): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) lines += 1;
  }
  return lines;
}
