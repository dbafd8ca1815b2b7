/**
 * Counts the field lines of a request that have a given name. Node's `headersDistinct` would collect all headers of
 * the request.
 * @param rawHeaders names and values in turn, as they were sent
 * @param name the header's name in lower case
 */
export function countFieldLines(rawHeaders: readonly string[], name: string): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && (given === name || given.toLowerCase() === name)) lines += 1;
  }
  return lines;
}
