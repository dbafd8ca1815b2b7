const minMs = 1_000;
const maxMs = 60_000;

/**
 * Returns the delay before a request is repeated, in milliseconds: 1 s to 60 s, and 1 s without a valid header.
 * @param header value of `Retry-After`: seconds, or an HTTP date (RFC 9110, section 10.2.3)
 * @param now milliseconds since 1970
 */
export function retryDelay(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? minMs : Math.min(maxMs, Math.max(minMs, ms));
}
