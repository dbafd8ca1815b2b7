/** The outcome of an attempt. All properties are missing if there was no response. */
export interface CallOutcome {
  status?: number;
  /** The code of an error response. */
  code?: number | undefined;
  /** The delay in seconds that `Retry-After` requests. */
  retryAfter?: number | undefined;
}

// Full jitter: random delays of up to 0.25 s, 0.5 s, 1 s … 8 s, so that clients do not retry at the same time.
const firstMs = 250;
const maxMs = 8_000;
// The client does not retry if `Retry-After` is longer. The caller then gets the error response.
const maxRetryAfterSeconds = 30;

/**
 * Whether a request may be sent twice. Updates and deletes are not repeated, because they could undo a concurrent
 * change.
 */
export const isRepeatable = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  method === 'GET' || (method === 'POST' && headers.has('Idempotency-Key'));

/**
 * Whether a failure is temporary: no response, a timeout, a request still in progress, an exceeded rate limit, or an
 * unavailable service.
 */
export const isTemporary = ({ status, code }: CallOutcome): boolean =>
  status === undefined || [408, 429, 502, 503, 504].includes(status) || code === 40902;

/**
 * Returns the delay before a retry in milliseconds; undefined for no retry.
 * @param made number of attempts so far
 * @param chance random number from 0 to 1
 */
export function waitBeforeNext(
  outcome: CallOutcome,
  made: number,
  retries: number,
  chance: number,
): number | undefined {
  const { retryAfter = 0 } = outcome;
  if (made > retries || !isTemporary(outcome) || retryAfter > maxRetryAfterSeconds) return undefined;
  return retryAfter * 1000 + chance * Math.min(maxMs, firstMs * 2 ** (made - 1));
}
