/** What came of an attempt: an answer, or none. */
export interface CallOutcome {
  status?: number;
  /** The code of a refusal. */
  code?: number;
  /** Seconds. */
  retryAfter?: number | undefined;
}

// Full jitter over 0.25 s, 0.5 s, 1 s …: many clients that were cut off together must not come again together.
const firstMs = 250;
const maxMs = 8_000;
// Whoever is asked to wait longer than this decides himself.
const patienceSeconds = 30;

/**
 * Whether a request may be sent twice without doing anything twice. An update or a delete would be, too, were nobody
 * else about; but it could undo what another did meanwhile.
 */
export const isRepeatable = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  method === 'GET' || (method === 'POST' && headers.has('Idempotency-Key'));

/** Too slow, in work, too many, and nobody at home; what is wrong with a request stays wrong. */
const passes = ({ status, code }: CallOutcome): boolean =>
  status === undefined || [408, 429, 502, 503, 504].includes(status) || code === 40902;

/**
 * How long to wait before a request is repeated, or undefined where it is not.
 * @param made attempts so far
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export function waitBeforeNext(
  outcome: CallOutcome,
  made: number,
  retries: number,
  chance: number,
): number | undefined {
  const { retryAfter = 0 } = outcome;
  if (made > retries || !passes(outcome) || retryAfter > patienceSeconds) return undefined;
  return retryAfter * 1000 + chance * Math.min(maxMs, firstMs * 2 ** (made - 1));
}
