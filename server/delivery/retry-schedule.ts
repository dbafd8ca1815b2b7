const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt, in milliseconds after the previous attempt (D45). */
export const retryDelays = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** Relative jitter of delays, so that deliveries that failed together are retried at different times. */
const jitter = 0.2;

/** Maximum delay that a receiver can ask for. */
const maxWaitMs = 24 * hour;

/** Maximum delay between two attempts. */
export const maxRetryDelayMs = Math.max(maxWaitMs, ...retryDelays) * (1 + jitter);

/** Minimum delay after a timeout or a response that reports overload, in milliseconds. */
const overloadedWaitMs = minute;

const overloaded: readonly (number | undefined)[] = [429, 502, 504];

/** A failed attempt. */
export interface FailedAttempt {
  status?: number | undefined;
  timedOut: boolean;
  /** The delay that `Retry-After` asks for, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/**
 * Returns the delay before the next attempt, in milliseconds.
 * @param attempts number of attempts so far
 * @param random from 0 to 1
 * @returns undefined after the last attempt
 */
export function retryDelay(
  attempts: number,
  { status, timedOut, retryAfterMs = 0 }: FailedAttempt,
  random: number,
): number | undefined {
  const step = retryDelays[attempts];
  if (step === undefined) return undefined;
  const least = timedOut || overloaded.includes(status) ? overloadedWaitMs : 0;
  const jittered = step * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(jittered, least, Math.min(retryAfterMs, maxWaitMs)));
}

/**
 * Parses `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
 * @returns milliseconds from now; undefined if it is neither
 */
export function parseRetryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * second, maxWaitMs);
  // All three date formats are in GMT, but the asctime format omits the zone (RFC 9110, section 5.6.7).
  const date = /^[A-Z][a-z]{2,8},? /.test(text)
    ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
    : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
