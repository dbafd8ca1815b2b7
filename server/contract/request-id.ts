/** Returns the client's request ID if it is safe to log and to send back, or else a new one. */
export function readRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(header) ? header : crypto.randomUUID();
}
